// keep.js -- what the call program takes hold of before any foreign code is
// there.
//
// Everything that decides what the answer says is bound here and never looked
// up again, so a patched prototype, global or module has no effect.
'use strict';

const fs = require('fs');
const Module = require('module');
const vm = require('vm');
const util = require('util');
const pathOf = require('path');
const url = require('url');
const { AssertionError } = require('assert');

const REPO = '/repo/';
const FRAMES_MAX = 120; // in a report; half of them at each end
const RUNNER_FAILED = 70; // exit status for a failure of this program

const uncurry = (f) => Function.prototype.call.bind(f);
const apply = Reflect.apply;
const construct = Reflect.construct;
const protoOf = Object.getPrototypeOf;
const descriptorOf = Reflect.getOwnPropertyDescriptor;
const isNativeError = util.types.isNativeError;
const isProxy = util.types.isProxy;
const isPromise = util.types.isPromise;
const charCodeAt = uncurry(String.prototype.charCodeAt);
const slice = uncurry(String.prototype.slice);
const toHex = uncurry(Number.prototype.toString);
const startsWith = uncurry(String.prototype.startsWith);
const weakGet = uncurry(WeakMap.prototype.get);
const weakSet = uncurry(WeakMap.prototype.set);
const promiseThen = uncurry(Promise.prototype.then);
const generatorProto = protoOf(protoOf((function* () {})()));
const asyncGeneratorProto = protoOf(protoOf((async function* () {})()));
const isGenerator = util.types.isGeneratorObject;
const isPrototypeOf = uncurry(Object.prototype.isPrototypeOf);
const isAsyncGenerator = (v) => isPrototypeOf(asyncGeneratorProto, v);
const syncNext = uncurry(generatorProto.next);
const asyncNext = uncurry(asyncGeneratorProto.next);
const setTimer = setTimeout;
const writeSync = fs.writeSync;
const reallyExit = process.reallyExit.bind(process);
const killSelf = process.kill.bind(process, process.pid, 'SIGKILL');

function then(promise, good, bad) {
	try {
		promiseThen(promise, good, bad);
	} catch (e) {
		bad(e);
	}
}

function leave(code) {
	reallyExit(code);
	killSelf();
}

// The classes by identity: an error belongs to one when it has its prototype.
const BUILTIN = [Error, TypeError, RangeError, SyntaxError, ReferenceError,
	EvalError, URIError, AggregateError, AssertionError].map((c) =>
	({ proto: c.prototype, name: c.name, module: c === AssertionError ?
		'assert' : 'builtins' }));

// -- JSON out, by hand ----------------------------------------------------------

function quote(s) {
	let out = '"';
	for (let i = 0; i < s.length; i++) {
		const n = charCodeAt(s, i);
		if (n === 34 || n === 92)
			out += '\\' + s[i];
		else if (n >= 32 && n < 127)
			out += s[i];
		else if (n >= 0xD800 && n < 0xDC00 && i + 1 < s.length &&
			 charCodeAt(s, i + 1) >> 10 === 0x37)
			out += unicode(n) + unicode(charCodeAt(s, ++i));
		else
			out += n >> 11 === 0x1B ? '\\ufffd' : unicode(n);
	}
	return out + '"';
}

function unicode(n) {
	return '\\u' + slice('000' + toHex(n, 16), -4);
}

function cut(s, n) {
	return typeof s === 'string' ? slice(s, 0, n) : '';
}

// -- standard input, the source, the way out --------------------------------------

const given = fs.readFileSync(0, 'utf8');
const nonce = given.slice(0, given.indexOf('\n'));
const witness = JSON.parse(given.slice(nonce.length + 1));
const sourceText = fs.readFileSync(5, 'utf8');
let resultFd = 3;
try {
	// Another number: who writes to 3 writes nowhere.
	resultFd = fs.openSync('/proc/self/fd/3', 'w');
	fs.closeSync(3);
} catch (e) {
	resultFd = 3;
}

function say(text) {
	while (text.length > 0) {
		try {
			text = slice(text, writeSync(resultFd, text));
		} catch (e) {
			if (!e || e.code !== 'EAGAIN')
				leave(RUNNER_FAILED);
		}
	}
}

// -- stacks: call sites, from V8 itself ---------------------------------------------

// V8 passes the call sites of an error to a callback that no program can reach.
// A program's own Error.prepareStackTrace is still called afterwards.
const sitesOf = new WeakMap();
const nothing = { __proto__: null };
const binding = require('internal/test/binding');
const internalErrors = require('internal/errors');
const formatter = internalErrors.prepareStackTraceCallback ||
	internalErrors.prepareStackTrace;

binding.internalBinding('errors').setPrepareStackTraceCallback(
	(realm, error, sites) => {
		if (weakGet(sitesOf, error) === undefined)
			weakSet(sitesOf, error, keepSites(sites));
		return formatter(realm, error, sites);
	});
delete binding.internalBinding;

const site = (() => {
	const kept = { __proto__: null };
	const holder = {};
	const before = Error.prepareStackTrace;
	Error.prepareStackTrace = (e, sites) => sites;
	Error.captureStackTrace(holder);
	const proto = protoOf(holder.stack[0]);
	Error.prepareStackTrace = before;
	for (const name of ['getFunctionName', 'getLineNumber', 'getPosition',
		'getScriptNameOrSourceURL', 'getScriptHash', 'getTypeName',
		'getMethodName', 'isEval', 'isNative'])
		kept[name] = proto[name] ? uncurry(proto[name]) : null;
	return kept;
})();
const nativeStack = descriptorOf(new Error(''), 'stack').get;
const captureStack = Error.captureStackTrace;

function keepSites(sites) {
	const kept = { __proto__: null, length: 0 };
	for (let i = 0; i < sites.length && i < FRAMES_MAX; i++)
		kept[kept.length++] = sites[i];
	return kept;
}

// The call sites of error, outermost last; none when they were removed.
function sites(error) {
	try {
		const d = descriptorOf(error, 'stack');
		if (d && d.get && d.get === nativeStack)
			apply(nativeStack, error, []);
	} catch (e) {
		return nothing;
	}
	return weakGet(sitesOf, error) || nothing;
}

// An error that was raised and is then given another stack keeps the first one.
Object.defineProperty(Error, 'captureStackTrace', { enumerable: false,
	configurable: true, writable: true,
	value: function captureStackTrace(object, above) {
		if (isNativeError(object))
			sites(object);
		captureStack(object, typeof above === 'function' ? above :
			captureStackTrace);
	} });

// Remember where each promise was made, for those that nobody waits for.
const promises = (() => {
	const made = new WeakMap();
	const hook = require('async_hooks').createHook({
		init(id, type, trigger, resource) {
			if (type !== 'PROMISE')
				return;
			const holder = { __proto__: null };
			captureStack(holder);
			weakSet(made, resource, holder);
		},
	});
	return { enable: () => hook.enable(),
		madeAt: (promise) => weakGet(made, promise) };
})();

// -- frames and errors, as text -------------------------------------------------------

// The flagged script: the hash of what was compiled, its name, and the place of
// the function in it.  load.js fills it in.
const flagged = { hash: null, name: null, back: null, span: null, inner: [] };

function whereIs(s) {
	if (site.getScriptNameOrSourceURL(s) !== flagged.name || site.isEval(s))
		return 'other';
	if (site.getScriptHash && site.getScriptHash(s) !== flagged.hash)
		return 'other';
	const at = flagged.back(site.getPosition(s));
	// The span is where it begins, where its body does, where it ends.
	if (!(at >= flagged.span[1] && at < flagged.span[2]))
		return 'other';
	for (let i = 0; i < flagged.inner.length; i++)
		if (at >= flagged.inner[i][0] && at < flagged.inner[i][1])
			return 'nested';
	return 'target';
}

function shown(name) {
	if (typeof name !== 'string')
		return '<native>';
	if (startsWith(name, 'file://'))
		name = slice(name, 7);
	return cut(startsWith(name, REPO) ? slice(name, REPO.length) : name, 200);
}

function frame(s, place) {
	const line = site.getLineNumber(s);
	const name = site.getScriptNameOrSourceURL(s);
	if (name === 'cupel-runner')
		return '';
	return '{"where":' + quote(asSeenFrom(whereIs(s), place)) +
		',"file":' + quote(shown(name)) +
		',"function":' + quote(cut(site.getFunctionName(s), 200) ||
			'<anonymous>') +
		',"line":' + (typeof line === 'number' ? '' + line : '0') + '}';
}

function isInternal(s) {
	const name = site.getScriptNameOrSourceURL(s);
	return typeof name === 'string' && startsWith(name, 'node:');
}

// The engine raises these errors at the place itself: what a callee does with
// an argument is not the fault of the line that passes it.
const AT_THE_PLACE = { __proto__: null, 'null-deref': 1, 'undefined-call': 1,
	reference: 1 };

// Where the innermost frame of a program is; '' for classes where it is
// irrelevant.
function placeOf(kept, flagClass) {
	if (!AT_THE_PLACE[flagClass])
		return '';
	for (let i = 0; i < kept.length; i++)
		if (typeof site.getScriptNameOrSourceURL(kept[i]) === 'string' &&
		    !isInternal(kept[i]))
			return whereIs(kept[i]);
	return 'other';
}

// If a function inside the flagged function raised, the flagged one is
// "around".
function asSeenFrom(where, place) {
	return place === 'other' ? 'other' :
		place === 'nested' && where === 'target' ? 'around' : where;
}

// The frames, outermost first, as a traceback is read.  extra: where the
// promise was made.
function framesOf(error, extra, flagClass) {
	let out = '';
	let n = 0;
	for (let turn = 0; turn < 2; turn++) {
		const from = turn === 0 ? extra : error;
		const isObject = typeof from === 'object' && from !== null;
		const kept = isObject && !isProxy(from) ? sites(from) : nothing;
		const place = placeOf(kept, flagClass);
		for (let i = (kept.length || 0) - 1; i >= 0; i--) {
			const one = frame(kept[i], place);
			// How Node got to this program is of no interest.
			if (out === '' && isInternal(kept[i]))
				continue;
			if (one && n++ < FRAMES_MAX)
				out += (out ? ',' : '') + one;
		}
	}
	return '[' + out + ']';
}

function own(object, key) {
	const d = descriptorOf(object, key);
	return d && typeof d.value === 'string' ? d.value : '';
}

function describe(e) {
	let module = 'global', message = '', builtin = false;
	let name = /** @type {string} */ (typeof e);
	if (e === null || (name !== 'object' && name !== 'function')) {
		message = name === 'symbol' || name === 'object' ? '' : '' + e;
		name = e === null ? 'null' : name;
	} else if (isProxy(e)) {
		name = 'Proxy';
	} else {
		const proto = protoOf(e);
		for (let i = 0; i < BUILTIN.length; i++)
			if (proto === BUILTIN[i].proto && isNativeError(e)) {
				builtin = true;
				name = BUILTIN[i].name;
				module = BUILTIN[i].module;
			}
		message = own(e, 'message');
		if (!builtin && proto && !isProxy(proto)) {
			const d = descriptorOf(proto, 'constructor');
			module = 'program';
			name = d && typeof d.value === 'function' &&
				!isProxy(d.value) ? own(d.value, 'name') : 'Object';
		}
	}
	return '{"module":' + quote(module) + ',"name":' +
		quote(cut(name, 100) || '?') + ',"builtin":' + builtin +
		',"message":' + quote(cut(message, 300)) + '}';
}

module.exports = {
	FRAMES_MAX, REPO, RUNNER_FAILED, apply, asyncNext, construct, describe,
	descriptorOf, flagged, framesOf, isAsyncGenerator, isGenerator,
	isPromise, leave, nonce, promises, quote, say, setTimer, sourceText,
	syncNext, then, uncurry, witness,
};
