'use strict';

const ROOM = /^([A-Z])-(\d+)(?:\/(\w+))?$/;

function roomWing(code) {
	const [, , , wing] = ROOM.exec(code);
	return wing.toUpperCase(); // @here roomWing
}

function roomWingSafe(code) {
	const found = ROOM.exec(code);
	return found?.[3]?.toUpperCase() ?? ''; // @here roomWingSafe
}

function longest(visits) {
	const sorted = [...visits].sort((a, b) => b.minutes - a.minutes);
	return sorted[0].patient; // @here longest
}

function longestSafe(visits) {
	if (visits.length === 0)
		return null;
	const at = visits.reduce((best, v, i) => v > visits[best] ? i : best, 0);
	return visits.slice(at, at + 1).map(String)[0].trim(); // @here longestSafe
}

/**
 * The doctor of a patient.
 * @param {{ doctors: { name: string, patients: string[] }[] }} plan
 * @param {string} patient
 */
function doctorOf(plan, patient) {
	return plan.doctors.find((d) => d.patients.includes(patient)).name; // @here doctorOf
}

/**
 * The doctor on call; a plan has one for each day.
 * @param {{ days: string[] }} plan names, never empty
 */
function onCall(plan) {
	return plan.days.at(0).trim(); // @here onCall
}

function readForm(body) {
	const form = JSON.parse(body); // @here readForm
	return form;
}

function readFormSafe(body) {
	let form = null;
	try {
		form = JSON.parse(body); // @here readFormSafe
	} catch {
		return {};
	}
	return form;
}

function waiting(rows, perRow = 4) {
	return Array.from(new Array(rows * perRow - 1), () => null); // @here waiting
}

function waitingSafe(rows, perRow = 4) {
	const seats = Math.min(Math.max(0, Math.trunc(rows * perRow) || 0), 1000);
	return new Array(seats); // @here waitingSafe
}

class Ward {
	#beds;

	constructor(beds = 4) {
		this.#beds = new Map();
		for (let i = 1; i <= beds; i++)
			this.#beds.set(i, null);
		this.listeners = {};
	}

	admit(bed, patient) {
		if (this.#beds.has(bed))
			this.#beds.set(bed, { name: patient });
		return this;
	}

	nameIn(bed) {
		return this.#beds.get(bed).name; // @here nameIn
	}

	nameInOr(bed, other = '') {
		return this.#beds.get(bed)?.name ?? other; // @here nameInOr
	}

	emit(event, payload) {
		return this.listeners[event](payload); // @here emit
	}

	emitSafe(event, payload) {
		const listener = Object.hasOwn(this.listeners, event) ?
			this.listeners[event] : null;
		if (typeof listener !== 'function')
			return undefined;
		return listener(payload); // @here emitSafe
	}
}

function depth(unit) {
	let most = 0;
	for (const part of unit.parts) // @here depth
		most = Math.max(most, depth(part));
	return most + 1;
}

function depthSafe(unit) {
	let most = 0;
	for (const part of unit?.parts ?? []) // @here depthSafe
		most = Math.max(most, depthSafe(part));
	return most + 1;
}

function countdown(steps) {
	return steps === 0 ? [] : [steps, ...countdown(steps - 1)]; // @here countdown
}

function countdownSafe(steps) {
	const left = Math.min(Math.floor(steps) || 0, 20);
	return left <= 0 ? [] : [left, ...countdownSafe(left - 1)]; // @here countdownSafe
}

/**
 * Cents for each visit.
 * @param {bigint} cents
 * @param {bigint} visits how many there were
 */
function perVisit(cents, visits) {
	return cents / visits; // @here perVisit
}

/**
 * Cents for each visit.
 * @param {bigint} cents
 * @param {bigint} visits how many there were, at least 1
 */
function perVisitKnown(cents, visits) {
	return cents / visits; // @here perVisitKnown
}

module.exports = { roomWing, roomWingSafe, longest, longestSafe, doctorOf,
	onCall, readForm, readFormSafe, waiting, waitingSafe, Ward, depth, depthSafe,
	countdown, countdownSafe, perVisit, perVisitKnown };
