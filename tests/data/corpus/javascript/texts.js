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

const PLACE = /^([A-Z]{2})-(\d+)(?:\/(\w+))?$/;

function wing(code) {
	const found = PLACE.exec(code);
	return found === null ? '' : found[3].trim(); // @here wing
}

function floor(code) {
	const found = code.match(/^([A-Z]{2})-(\d+)$/);
	return found === null ? '' : found[2].trim(); // @here floor
}

// A character that names no group.
function tag(text) {
	const found = /(?:<(?<kind>b)|<i)(x)?/.exec(text);
	return found === null ? '' : found[2].trim(); // @here tag
}

module.exports = { tag, wing, floor, readConfig, readConfigSafe, readLines, readLinesSafe,
	pattern, ratio, ratioSafe, rest, plain };
