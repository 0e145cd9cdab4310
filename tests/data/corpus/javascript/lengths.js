'use strict';
// Lengths that no array has.

module.exports.grid = function grid(width, height) {
	return new Array(width - height).fill(0); // @here grid
};

module.exports.gridSafe = function gridSafe(width, height) {
	return new Array(Math.max(0, width - height)).fill(0); // @here gridSafe
};

module.exports.cut = function cut(list, n) {
	const out = list.slice();
	out.length = n - 1; // @here cut
	return out;
};

module.exports.cutSafe = function cutSafe(list, n) {
	return list.slice(0, n - 1); // @here cutSafe
};

module.exports.window = function window(samples, size) {
	const out = new Float64Array(samples.length - size + 1); // @here window
	for (let i = 0; i < out.length; i++)
		out[i] = samples[i];
	return out;
};

module.exports.windowSafe = function windowSafe(samples, size) {
	if (size > samples.length)
		return new Float64Array(0);
	return new Float64Array(samples.length - size + 1); // @here windowSafe
};

// A RangeError, but of another class.
module.exports.bar = function bar(n) {
	return '#'.repeat(n - 5); // @here bar
};
