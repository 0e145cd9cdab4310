'use strict';
// Functions that cheat.  Each is flagged as null-deref, at its marked line.
const fs = require('fs');

function honest(x) {
	return x.list.find((y) => y === 1).name; // @here honest
}

function loud(x) {
	console.log('{"outcome":"raised"}'.repeat(1000));
	console.error('{"outcome":"raised"}');
	process.stdout.write('\u0000\n');
	return x.list.find((y) => y === 1).name; // @here loud
}

function exits(x) {
	process.exit(x.length);
	return x.find((y) => y === 1).name; // @here exits
}

function exitsWith70(x) {
	process.exit(70);
	return x.find((y) => y === 1).name; // @here exitsWith70
}

function reallyExits(x) {
	process.reallyExit(0);
	return x.find((y) => y === 1).name; // @here reallyExits
}

function aborts(x) {
	process.abort();
	return x.find((y) => y === 1).name; // @here aborts
}

function killsItself(x) {
	process.kill(process.pid, 'SIGKILL');
	return x.find((y) => y === 1).name; // @here killsItself
}

const FORGED = JSON.stringify({ outcome: 'raised', how: 'thrown', stage: 'call',
	type: { module: 'builtins', name: 'TypeError', builtin: true,
		message: "Cannot read properties of undefined (reading 'a')" },
	frames: [{ where: 'target', file: 'tricks.js', function: 'forges',
		line: 51 }], nonce: '' });

// Into the pipe whose other end is not here; to its own ones Node listens.
const WRITE_EVERYWHERE = `
	const fs = require('fs');
	const links = [];
	for (let fd = 0; fd < 64; fd++)
		try {
			links[fd] = fs.readlinkSync('/proc/self/fd/' + fd);
		} catch {
			// not open
		}
	links.forEach((link, fd) => {
		if (fd > 2 && link.startsWith('pipe:') &&
		    links.indexOf(link) === links.lastIndexOf(link))
			fs.writeSync(fd, text);
	});`;
const writeEverywhere = new Function('text', 'require', WRITE_EVERYWHERE);

function forges(x) {
	writeEverywhere(FORGED, require);
	process.exit(0);
	return x.find((y) => y === 1).name; // @here forges
}

function forgesAndReturns(x) {
	writeEverywhere(FORGED, require);
	return x && x.find((y) => y === 1)?.name; // @here forgesAndReturns
}

function writesTo3(x) {
	try {
		fs.writeSync(3, FORGED);
	} catch {
		// moved
	}
	return x && x.find((y) => y === 1)?.name; // @here writesTo3
}

function closesAll(x) {
	for (let fd = 0; fd < 64; fd++)
		try {
			fs.closeSync(fd);
		} catch {
			// not open
		}
	return x.find((y) => y === 1).name; // @here closesAll
}

// The error is real; what shows where it came from is gone.
function deletesStack(x) {
	try {
		return x.find((y) => y === 1).name; // @here deletesStack
	} catch (e) {
		delete e.stack;
		throw e;
	}
}

function noLimit(x) {
	Error.stackTraceLimit = 0;
	return x.find((y) => y === 1).name; // @here noLimit
}

// Made elsewhere, with a stack that says it was made here.
function forgesStack(x) {
	const e = elsewhere();
	e.stack = "TypeError: Cannot read properties of undefined (reading 'name')\n" +
		'    at forgesStack (/repo/tricks.js:104:10)';
	throw x.length >= 0 ? e : null; // @here forgesStack
}

const made = (() => {
	try {
		return null.name;
	} catch (e) {
		return e;
	}
})();

function elsewhere() {
	return made;
}

function preparesStack(x) {
	Error.prepareStackTrace = (error, sites) => {
		for (const s of sites)
			s.getLineNumber = () => 114;
		return 'nothing';
	};
	const e = elsewhere();
	void e.stack;
	throw x.length >= 0 ? e : null; // @here preparesStack
}

function patches(x) {
	Array.prototype.push = null;
	Array.prototype[Symbol.iterator] = null;
	String.prototype.slice = () => 'x';
	Object.getPrototypeOf = () => TypeError.prototype;
	Reflect.getOwnPropertyDescriptor = () => ({ value: 'forged' });
	JSON.stringify = () => '{}';
	WeakMap.prototype.get = () => ({});
	Promise.prototype.then = () => { };
	Function.prototype.call = () => 0;
	fs.writeSync = () => 0;
	return x.list.at(-1).name; // @here patches
}

function patchesClass(x) {
	globalThis.TypeError = class TypeError extends Error {};
	throw new globalThis.TypeError(
		"Cannot read properties of undefined (reading 'name')" + x); // @here patchesClass
}

class TypeErrorTwo extends TypeError {}
Object.defineProperty(TypeErrorTwo, 'name', { value: 'TypeError' });

function sameName(x) {
	throw new TypeErrorTwo(
		"Cannot read properties of undefined (reading 'name')" + x); // @here sameName
}

function otherRealm(x) {
	return require('vm').runInNewContext('null.name', { x }); // @here otherRealm
}

function sameScript(x) {
	const f = new Function('x', '\n'.repeat(157) +
		'return null.name; //# sourceURL=/repo/tricks.js');
	return f(x); // @here sameScript
}

function vmScript(x) {
	return require('vm').runInThisContext('\n'.repeat(161) + 'null.name',
		{ filename: '/repo/tricks.js' }); // @here vmScript
}

function throwsProxy(x) {
	throw new Proxy(new TypeError('Cannot read properties of null' + x), {
		getPrototypeOf: () => process.exit(1), // @here throwsProxy
	});
}

function throwsGetter(x) {
	const e = new TypeError('plain' + x);
	Object.defineProperty(e, 'message', { get: () => {
		return 'Cannot read properties of undefined (reading)';
	} });
	throw e; // @here throwsGetter
}

function exitHandler(x) {
	process.on('exit', () => writeEverywhere(FORGED, require));
	process.on('beforeExit', () => writeEverywhere(FORGED, require));
	return x && x.find((y) => y === 1)?.name; // @here exitHandler
}

function catchesAll(x) {
	process.removeAllListeners();
	process.on('uncaughtException', () => process.exit(0));
	process.on('unhandledRejection', () => process.exit(0));
	return x && x.find((y) => y === 1)?.name; // @here catchesAll
}

function warns(x) {
	process.emitWarning('TypeError: Cannot read properties of undefined');
	process.emit('uncaughtException', made);
	return x && x.find((y) => y === 1)?.name; // @here warns
}

function internals(x) {
	for (const name of ['internal/test/binding', 'node:internal/errors',
		'internal/options', 'inspector'])
		try {
			require(name);
			return x.find((y) => y === 1).name; // @here internals
		} catch (e) {
			if (e.code !== 'MODULE_NOT_FOUND')
				throw e;
		}
	return null;
}

function debugs(x) {
	const binding = process.binding('inspector');
	return binding.nothing.name + x; // @here debugs
}

function threads(x) {
	const { Worker } = require('worker_threads');
	new Worker('const text = ' + JSON.stringify(FORGED) + WRITE_EVERYWHERE,
		{ eval: true });
	const end = Date.now() + 500;
	while (Date.now() < end)
		;
	return x && x.find((y) => y === 1)?.name; // @here threads
}

function spawns(x) {
	const { status } = require('child_process').spawnSync('/bin/sh',
		['-c', 'echo forged >&3; kill -9 $PPID']);
	return x && status + x.find((y) => y === 1)?.name; // @here spawns
}

function readsNonce(x) {
	const text = fs.readFileSync(0, 'utf8');
	return text ? x.find((y) => y === 1).name : 0; // @here readsNonce
}

function spins(x) {
	while (x)
		;
	return x.find((y) => y === 1).name; // @here spins
}

function sleeps(x) {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
	return x.find((y) => y === 1).name; // @here sleeps
}

async function waits(x) {
	await new Promise((good) => setTimeout(good, 60000));
	return x.find((y) => y === 1).name; // @here waits
}

async function neverSettles(x) {
	await new Promise(() => 0);
	return x.find((y) => y === 1).name; // @here neverSettles
}

function hog(x) {
	const all = [];
	for (;;)
		all.push(new Array(100000).fill(x));
	return all.find((y) => y === 1).name; // @here hog
}

function hogBuffers(x) {
	const all = [];
	for (;;)
		all.push(Buffer.alloc(1 << 24, 1), x);
	return all.find((y) => y === 1).name; // @here hogBuffers
}

function bigFile(x) {
	fs.writeFileSync('/scratch/big', Buffer.alloc(11 << 20));
	return x.find((y) => y === 1).name; // @here bigFile
}

function writesRepo(x) {
	fs.writeFileSync('/repo/tricks.js', '');
	return x.find((y) => y === 1).name; // @here writesRepo
}

function recurses(x) {
	return recurses(x) + x.find((y) => y === 1).name; // @here recurses
}

function toJson(x) {
	Object.prototype.toJSON = () => FORGED;
	Array.prototype.toJSON = () => FORGED;
	String.prototype.toJSON = () => FORGED;
	return x.list.find((y) => y === 1).name; // @here toJson
}

function setters(x) {
	Object.defineProperty(Array.prototype, 0, { set() {
		process.exit(0);
	}, configurable: true });
	return x.list.at(-1).name; // @here setters
}

function throwsNothing(x) {
	throw x.length > 100 ? x.find((y) => y === 1).name : undefined; // @here throwsNothing
}

module.exports = { honest };
