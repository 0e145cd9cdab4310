// call.js -- runs one witness once: loads the code, calls the function,
// reports.
//
// It runs inside the vessel (boot.js loads it), in the same process as code
// that nobody has reason to trust; docs/confirm.md says what that does and does
// not prove.
//
// Standard input: a line with the nonce, then the witness, JSON; gone once it
// is read.
// Descriptor 5: the source of the flagged file.  It is compiled here, so the
// bytes that are hashed are the bytes that run.
// Descriptor 6: the request, JSON {path, function, first_line, alarm_s,
// flag_class, target}.
// Descriptor 3: the answer, one JSON object.
'use strict';

const fs = require('fs');
const { importAny } = require('./host.js');
const { FRAMES_MAX, REPO, RUNNER_FAILED, apply, asyncNext, construct,
	describe, framesOf, isAsyncGenerator, isGenerator, isPromise, leave,
	nonce, promises, quote, say, setTimer, sourceText, syncNext, then,
	uncurry, witness } = require('./keep.js');
const { loadFlagged } = require('./load.js');

const request = JSON.parse(fs.readFileSync(6, 'utf8'));
const target = request.target;
const path = REPO + request.path;
const wantsRejections = request.flag_class === 'unhandled-rejection';
const state = { stage: 'import', rejection: null, isDone: false };

// -- the answer ---------------------------------------------------------------

function report(text) {
	if (state.isDone)
		return;
	state.isDone = true;
	say(text + ',"stage":' + quote(state.stage) +
		',"nonce":' + quote(nonce) + '}');
	leave(0);
}

function reportRaised(outcome, how, error, extra) {
	try {
		sayRaised(outcome, how, error, extra);
	} catch (e) {
		leave(RUNNER_FAILED);
	}
}

function sayRaised(outcome, how, error, extra) {
	report('{"outcome":' + quote(outcome) + (how ? ',"how":' + quote(how) : '')
		+ ',"type":' + describe(error) + ',"frames":' +
		framesOf(error, extra, request.flag_class));
}

// -- values -------------------------------------------------------------------

const has = uncurry(Object.prototype.hasOwnProperty);

function lookUp(names) {
	let at = loaded.hand(names[0]);
	for (let i = 1; i < names.length; i++)
		at = at[names[i]];
	return at;
}

function anyFunction(value) {
	return function () {
		return decode(value);
	};
}

function thrower(message) {
	return function () {
		throw new Error(message);
	};
}

const DECODERS = {
	__proto__: null,
	$undefined: () => undefined,
	$bigint: (x) => BigInt(x),
	$float: (x) => x === 'nan' ? NaN : x === 'inf' ? Infinity :
		x === '-inf' ? -Infinity : -0,
	$object: (x) => pairs({}, x),
	$stub: (x) => pairs({}, x),
	$dict: (x) => pairs({}, x),
	$map: (x) => new Map(x.map((p) => [decode(p[0]), decode(p[1])])),
	$set: (x) => new Set(x.map(decode)),
	$bytes: (x) => Buffer.from(x, 'hex'),
	$date: (x) => new Date(x),
	$regexp: (x) => new RegExp(x[0], x[1]),
	$call: anyFunction,
	$throw: thrower,
	$iter: (x) => x.map(decode)[Symbol.iterator](),
	$promise: (x) => Promise.resolve(decode(x)),
	$reject: (x) => Promise.reject(new Error(decode(x))),
	$error: (x) => new Error(x),
	$member: (x) => lookUp(x.split('.')),
	$new: (x) => {
		const { list } = group(x.arguments);
		return Reflect.construct(lookUp(x.type.split('.')), list);
	},
};

function pairs(object, list) {
	for (const [k, v] of list)
		Object.defineProperty(object, decode(k), { value: decode(v),
			writable: true, enumerable: true, configurable: true });
	return object;
}

function decode(v) {
	if (v === null || typeof v !== 'object')
		return v;
	if (Array.isArray(v))
		return v.map(decode);
	const keys = Object.keys(v);
	const how = keys.length === 1 ? DECODERS[keys[0]] : undefined;
	return how ? how(v[keys[0]]) : pairs({}, Object.entries(v));
}

// The values of a group in their order, with a rest parameter spread at the
// end.
function group(items) {
	const list = [];
	for (const a of items || []) {
		const value = decode(a.value);
		if (a.by === 'rest')
			list.push(...value);
		else
			list.push(value);
	}
	return { list };
}

// -- the function, by the ways that the synthesis found -------------------------

function step(at, key) {
	if (at === null || at === undefined)
		return undefined;
	if (key.startsWith('get ') || key.startsWith('set ')) {
		const d = Object.getOwnPropertyDescriptor(at, key.slice(4));
		return d && d[key.slice(0, 3)];
	}
	return at[key];
}

// {fn, owner}, or null when this way does not lead to a function.
function follow(way) {
	let owner, at;
	if (way[0] === 'local')
		at = loaded.hand(way[1]);
	else
		at = loaded.exports;
	for (let i = way[0] === 'local' ? 2 : 1; i < way.length; i++) {
		owner = at;
		at = step(at, way[i]);
	}
	return typeof at === 'function' ? { fn: at, owner } : null;
}

function find() {
	for (const way of target.ways) {
		const found = follow(way);
		if (found)
			return found;
	}
	return null;
}

function receiver() {
	state.stage = 'receiver';
	const C = follow(target.receiver);
	if (!C)
		return null;
	return Reflect.construct(C.fn, group(witness.receiver).list);
}

// Make a call without arguments that does what the witness says.
function prepare() {
	if (target.this === 'new') {
		const self = receiver();
		const found = self === null ? null :
			target.member ? { fn: step(self, target.member) } : find();
		if (!found || typeof found.fn !== 'function')
			return null;
		const { list } = group(witness.arguments);
		return () => apply(found.fn, self, list);
	}
	const found = find();
	if (!found)
		return null;
	const { list } = group(witness.arguments);
	if (target.this === 'construct')
		return () => construct(found.fn, list);
	return () => apply(found.fn,
		target.this === 'owner' ? found.owner : undefined, list);
}

// -- the call ------------------------------------------------------------------

const STEPS_MAX = 10000; // of a generator
const ASYNC_STEPS_MAX = 1000;
const DRAIN_MS = 1500; // for promises that nobody waits for

function returned() {
	if (!wantsRejections)
		return report('{"outcome":"returned"');
	const end = () => {
		const r = state.rejection;
		if (r)
			reportRaised('raised', 'rejection', r.reason, r.made);
		report('{"outcome":"returned"');
	};
	setTimer(end, DRAIN_MS).unref();
	state.atEmpty = end;
}

function raised(error) {
	reportRaised('raised', 'thrown', error);
}

function drive(made) {
	let left = ASYNC_STEPS_MAX;
	const next = (r) => {
		if ((r && r.done) || left-- <= 0)
			return returned();
		then(asyncNext(made), next, raised);
	};
	next(null);
}

function run(call) {
	let made;
	state.stage = 'call';
	Error.stackTraceLimit = FRAMES_MAX;
	if (wantsRejections)
		promises.enable();
	try {
		made = call();
		if (isGenerator(made)) {
			if (isAsyncGenerator(made))
				return drive(made);
			for (let i = 0; i < STEPS_MAX; i++)
				if (syncNext(made).done)
					break;
		}
		if (isPromise(made))
			return then(made, returned, raised);
	} catch (e) {
		return raised(e);
	}
	returned();
}

// Events of the event loop: an error that nobody caught, a promise that nobody
// waits for, and nothing left to do.
process.on('uncaughtException', (error) => {
	if (state.stage === 'call')
		raised(error);
	else
		reportRaised('import-failed', null, error);
});
process.on('unhandledRejection', (reason, promise) => {
	if (state.stage === 'call' && !state.rejection)
		state.rejection = { reason, made: promises.madeAt(promise) };
});
process.on('beforeExit', () => {
	if (state.atEmpty)
		state.atEmpty();
	else if (state.stage === 'call')
		report('{"outcome":"returned"');
	else
		report('{"outcome":"import-failed"');
});
// If a module ends the process while it is loaded, nothing in it can be called.
process.reallyExit = function (code) {
	if (state.stage === 'call')
		leave(code);
	report('{"outcome":"import-failed","type":{"module":"process",' +
		'"name":"exit","builtin":false,"message":""}');
	leave(code);
};
setTimer(() => {
	report('{"outcome":"alarm","frames":[]');
}, request.alarm_s * 1000).unref();

// Write whitespace before the answer: from here on the flagged code may end the
// process, and the supervisor can tell that from a failure of our own.
say('\n');

let loaded = null;
then(loadFlagged(path, sourceText, target, importAny), (got) => {
	let call;
	if (target.load)
		return report('{"outcome":"returned"');
	try {
		loaded = got;
		call = prepare();
	} catch (e) {
		return reportRaised('import-failed', null, e);
	}
	if (!call)
		return report('{"outcome":"not-found"');
	run(call);
}, (e) => reportRaised('import-failed', null, e));
