'use strict';
// Errors of another place, that shall seem to be of the marked line.
const vm = require('vm');

function before(nothing) {
	return nothing.name;
}

function viaBefore(x) {
	return 'x' + x + before(null); // @here viaBefore
}

function viaAfter(x) {
	return 'x' + x + after(null); // @here viaAfter
}

// Caught, and thrown again with a stack of this place.
function recaptures(x) {
	try {
		return 'x' + x + before(null);
	} catch (e) {
		Error.captureStackTrace(e); // @here recaptures
		throw e;
	}
}

// A script of this name, its error at the marked line, and within the function
// as far as the place in the text goes.
function padded(x) {
	const text = '\n'.repeat(30) + ' '.repeat(720) + 'null.name';
	return 'x' + x + vm.runInThisContext(text, { filename: __filename }); // @here padded
}

// No error at all, but the prototype and the stack of one.
function fakes(x) {
	const e = { __proto__: TypeError.prototype,
		message: "Cannot read properties of null (reading 'name')" + x };
	Error.captureStackTrace(e); // @here fakes
	throw e;
}

function spinsInProxy(x) {
	throw new Proxy(new TypeError('Cannot read properties of null' + x), {
		getOwnPropertyDescriptor: () => { for (;;); }, // @here spinsInProxy
	});
}

function after(nothing) {
	return nothing.name;
}

module.exports = { viaBefore, viaAfter, recaptures, padded, fakes,
	spinsInProxy };
