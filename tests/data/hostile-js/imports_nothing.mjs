import { gone } from './nowhere.mjs';
export const f = (x) => gone(x.a.b);
