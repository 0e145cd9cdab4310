'use strict';

/**
 * The street of the first parcel's receiver.
 * @param {{ receiver?: { street: string } }[]} parcels
 */
function firstStreet(parcels) {
	return parcels[0].receiver.street; // @here firstStreet
}

function streetOrNone(parcels) {
	const first = parcels[0];
	if (!first || !first.receiver)
		return '';
	return first.receiver.street; // @here streetOrNone
}

function labelNumber(label) {
	return label.split('/')[2].trim(); // @here labelNumber
}

function labelCountry(label) {
	const parts = label.split('/');
	if (parts.length < 3)
		return null;
	return parts[1].trim(); // @here labelCountry
}

/**
 * Places for parcels.
 * @param {number} rows a positive integer
 */
function shelves(rows) {
	return new Array(rows).fill(null); // @here shelves
}

function gaps(stops) {
	return new Array(stops.length - 1); // @here gaps
}

function byZone(parcels) {
	const zones = {};
	for (const p of parcels) {
		zones[p.zone] ??= [];
		zones[p.zone].push(p); // @here byZone
	}
	return zones;
}

function route(next, from) {
	return next[from] === undefined ? [from] : [from, ...route(next, next[from])]; // @here route
}

class Ramp {
	constructor(size = 4) {
		this.size = size;
		this.line = [];
	}

	arrive(van) {
		this.line.push({ van, at: this.line.length });
	}

	next() {
		return this.line[0].van; // @here next
	}

	nextOrNone() {
		return this.line.length > 0 ? this.line[0].van : null; // @here nextOrNone
	}
}

/** The van that waits longest. @param {Map<string, {van: string}>} waiting */
function vanOf(waiting, key) {
	return waiting.get(key).van; // @here vanOf
}

function vanOrNone(waiting, key) {
	return waiting.get(key)?.van; // @here vanOrNone
}

module.exports = { firstStreet, streetOrNone, labelNumber, labelCountry, shelves, gaps,
	byZone, route, Ramp, vanOf, vanOrNone };
