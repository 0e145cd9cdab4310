// node.d.ts -- what the JavaScript runner uses of Node, for the checker.  Its own
// types are not installed everywhere; here each is anything.
declare const process: any;
declare const Buffer: any;
declare const setTimeout: (f: () => void, ms: number) => any;
declare const module: { exports: any };
declare const require: (name: string) => any;
declare module 'async_hooks';
declare module 'assert';
declare module 'crypto';
declare module 'fs';
declare module 'inspector';
declare module 'internal/errors';
declare module 'internal/test/binding';
declare module 'module';
declare module 'path';
declare module 'url';
declare module 'util';
declare module 'vm';
interface ErrorConstructor {
	captureStackTrace: any;
	prepareStackTrace: any;
	stackTraceLimit: number;
}
interface Error {
	code?: string;
}
