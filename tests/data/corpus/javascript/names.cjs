'use strict';
const assert = require('node:assert');
const { AssertionError } = assert;

exports.status = function (code) {
	if (code > 100)
		return okay; // @here status
	return 'fine';
};

exports.statusSafe = function (code) {
	const okay = 'okay';
	return code > 100 ? okay : 'fine'; // @here statusSafe
};

exports.early = function (kind) {
	if (kind === 'fast')
		return speed * 2; // @here early
	const speed = 3;
	return speed;
};

exports.earlySafe = function (kind) {
	const speed = 3;
	return kind === 'fast' ? speed * 2 : speed; // @here earlySafe
};

exports.share = function (parts) {
	assert(parts > 0, 'no parts');
	return 100 / parts;
};

exports.shareChecked = function (parts) {
	const n = Math.max(1, Math.abs(parts));
	assert(n > 0, 'no parts'); // @here shareChecked
	return 100 / n;
};

exports.same = function (list) {
	assert.strictEqual(list.length, new Set(list).size); // @here same
	return list;
};

// A class of the same name, and not that one.
class OtherAssertion extends AssertionError {}
exports.otherClass = function (n) {
	if (n === 0)
		throw new OtherAssertion({ message: 'zero' }); // @here otherClass
	return n;
};
