'use strict';

function unitOf(text) {
	return JSON.parse(text).unit; // @here unitOf
}

function unitOrNone(text) {
	try {
		return JSON.parse(text).unit; // @here unitOrNone
	} catch {
		return null;
	}
}

/**
 * @param {bigint} total
 * @param {bigint} count
 */
function share(total, count) {
	return total / count; // @here share
}

/**
 * @param {bigint} total
 * @param {bigint} count
 */
function shareSafe(total, count) {
	return count === 0n ? 0n : total / count; // @here shareSafe
}

/**
 * The first of the readings.
 * @param {{ value: number }[]} readings a non-empty array
 */
function firstValue(readings) {
	return readings[0].value; // @here firstValue
}

function levelOf(line) {
	return line.match(/^\[(\w+)\]/)[1]; // @here levelOf
}

function newest(readings) {
	const sorted = [...readings].sort((a, b) => b.at - a.at);
	return sorted[0].at; // @here newest
}

function listen(sensor, handlers) {
	return handlers[sensor](sensor); // @here listen
}

module.exports = { unitOf, unitOrNone, share, shareSafe, firstValue, levelOf, newest, listen };
