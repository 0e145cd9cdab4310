process.exit(0);
exports.f = (x) => x.a.b;
