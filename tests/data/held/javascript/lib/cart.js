'use strict';
// A shopping cart, as a course has it.

function total(cart) {
	return cart.items.reduce((sum, i) => sum + i.price * i.count, 0); // @here total
}

function dearest(items) {
	return items.reduce((a, b) => (a.price > b.price ? a : b)); // @here dearest
}

function discountOf(cart, code) {
	const rule = cart.rules.find((r) => r.code === code);
	return rule.percent / 100; // @here discountOf
}

function discountSafe(cart, code) {
	const rule = cart.rules.find((r) => r.code === code);
	if (!rule)
		return 0;
	return rule.percent / 100; // @here discountSafe
}

function groupBy(items, key) {
	const out = {};
	for (const item of items)
		out[item[key]].push(item); // @here groupBy
	return out;
}

/**
 * @param {object[]} items
 * @param {string} key
 */
function groupBySafe(items, key) {
	const out = {};
	for (const item of items)
		(out[item[key]] = out[item[key]] || []).push(item); // @here groupBySafe
	return out;
}

function streetOf(order) {
	return order.customer.address.street.toUpperCase(); // @here streetOf
}

function streetSafe(order) {
	return order?.customer?.address?.street?.toUpperCase() ?? ''; // @here streetSafe
}

function firstLine(cart) {
	const [first] = cart.items;
	return first.name; // @here firstLine
}

function parseCart(text) {
	return JSON.parse(text); // @here parseCart
}

function parseCartSafe(text) {
	try {
		return JSON.parse(text); // @here parseCartSafe
	} catch {
		return { items: [] };
	}
}

class Cart {
	constructor(owner) {
		this.owner = owner;
		this.lines = new Map();
	}

	add(sku, count = 1) {
		this.lines.set(sku, { count });
		return this;
	}

	countOf(sku) {
		return this.lines.get(sku).count; // @here countOf
	}

	countSafe(sku) {
		return this.lines.has(sku) ? this.lines.get(sku).count : 0; // @here countSafe
	}

	newest() {
		return [...this.lines.keys()].pop().toUpperCase(); // @here newest
	}
}

module.exports = { total, dearest, discountOf, discountSafe, groupBy,
	groupBySafe, streetOf, streetSafe, firstLine, parseCart, parseCartSafe,
	Cart };
