'use strict';
// What is called and is no function.

const handlers = {
	add: (a, b) => a + b,
	sub: (a, b) => a - b,
};

exports.dispatch = function dispatch(type, a, b) {
	return handlers[type](a, b); // @here dispatch
};

exports.dispatchSafe = function dispatchSafe(type, a, b) {
	const handler = handlers[type];
	if (typeof handler !== 'function')
		throw new Error('unknown: ' + type);
	return handler(a, b); // @here dispatchSafe
};

exports.each = (list, done) => {
	if (done)
		list.push(null);
	list.forEach((x) => x);
	done(list.length); // @here each
};

exports.eachSafe = (list, done) => {
	list.forEach((x) => x);
	if (done)
		done(list.length); // @here eachSafe
};

exports.make = function (kind) {
	const kinds = { list: Array, map: Map };
	return new kinds[kind](); // @here make
};

exports.makeSafe = function (kind) {
	const kinds = { list: Array, map: Map };
	const Kind = kinds[kind] || Object;
	return new Kind(); // @here makeSafe
};

// It is undefined that is read here, not called.
exports.readOnly = function (plugins, name) {
	return plugins.find((p) => p.name === name).run; // @here readOnly
};

exports.run = function (plugins, name) {
	const plugin = plugins.find((p) => p.name === name) || {};
	return plugin.run(); // @here run
};
