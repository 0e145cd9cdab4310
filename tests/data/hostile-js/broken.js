exports.f = (x) => x.a.b; }
