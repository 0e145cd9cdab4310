export interface OnlyAType { a: number }
