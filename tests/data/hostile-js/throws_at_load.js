null.name;
exports.f = (x) => x.a.b;
