'use strict';
const assert = require('node:assert');

class Emitter {
	constructor() {
		this.handlers = {};
	}

	on(name, handler) {
		(this.handlers[name] ||= []).push(handler);
	}

	emit(name, ...args) {
		this.handlers[name].forEach((h) => h(...args)); // @here emit
	}

	emitSafe(name, ...args) {
		(this.handlers[name] || []).forEach((h) => typeof h === 'function' && h(...args)); // @here emitSafe
	}

	once(name, handler, options) {
		return options.signal ? null : [name, handler]; // @here once
	}

	onceSafe(name, handler, options = {}) {
		return options.signal ? null : [name, handler]; // @here onceSafe
	}
}

function reducer(state, action) {
	const handlers = {
		add: () => state.concat(action.item),
		clear: () => [],
	};
	return handlers[action.type](); // @here reducer
}

function reducerSafe(state, action) {
	switch (action.type) {
	case 'add':
		return [...state, action.item]; // @here reducerSafe
	default:
		return state;
	}
}

function middleware(chain) {
	const run = (i) => chain[i](() => run(i + 1)); // @here middleware
	return run(0);
}

function once(fn, options) {
	let done = false;
	return (...args) => {
		if (done || !options)
			return undefined;
		done = true;
		return fn(...args);
	};
}

function average(...values) {
	assert(values.length > 0); // @here average
	return values.reduce((a, b) => a + b) / values.length;
}

function averageSafe(first, ...values) {
	values.unshift(first);
	assert(values.length > 0); // @here averageSafe
	return values.reduce((a, b) => a + b) / values.length;
}

async function load(store, id) {
	const row = await store.get(id);
	return row.name; // @here load
}

async function loadSafe(store, id) {
	const row = await store.get(id);
	return row ? row.name : null; // @here loadSafe
}

function onMessage(handlers, message) {
	const { type, body } = JSON.parse(message); // @here onMessage
	return handlers[type](body); // @here onMessage.call
}

function callbackOf(options) {
	return options.done(null, 1); // @here callbackOf
}

module.exports = { Emitter, reducer, reducerSafe, middleware, once, average,
	averageSafe, load, loadSafe, onMessage, callbackOf };
