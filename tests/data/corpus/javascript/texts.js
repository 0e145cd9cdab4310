'use strict';
// Texts that are no JSON, big integers that are zero.

function readConfig(text) {
	return JSON.parse(text); // @here readConfig
}

function readConfigSafe(text) {
	try {
		return JSON.parse(text); // @here readConfigSafe
	} catch {
		return {};
	}
}

function readLines(text) {
	return text.split('\n').map((line) => JSON.parse(line)); // @here readLines
}

function readLinesSafe(text) {
	return text.split('\n').filter((l) => /^\d+$/.test(l))
		.map((line) => JSON.parse(line)); // @here readLinesSafe
}

// A SyntaxError, but not of JSON.
function pattern(text) {
	return new RegExp(text + '['); // @here pattern
}

function ratio(a, b) {
	return BigInt(a) / BigInt(b); // @here ratio
}

function ratioSafe(a, b) {
	const n = BigInt(b);
	return n === 0n ? 0n : BigInt(a) / n; // @here ratioSafe
}

function rest(a, b) {
	return (a * 10n) % b; // @here rest
}

// A number, not a big integer: it is Infinity.
function plain(a, b) {
	return a / b; // @here plain
}

module.exports = { readConfig, readConfigSafe, readLines, readLinesSafe,
	pattern, ratio, ratioSafe, rest, plain };
