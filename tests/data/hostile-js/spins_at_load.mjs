await new Promise(() => 0);
export const f = (x) => x.a.b;
