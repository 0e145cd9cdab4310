'use strict';
const test = require('node:test');
const assert = require('node:assert');
const { total, discountOf, streetOf, groupBySafe } = require('../lib/cart.js');
const { query, lookUp } = require('../lib/text.js');
const { depth, find, nth } = require('../lib/trees.js');
const { reducer, middleware } = require('../lib/events.js');

test('cart', () => {
	assert.equal(total({ items: [{ price: 2, count: 3 }] }), 6);
	assert.equal(discountOf({ rules: [{ code: 'X', percent: 5 }] }, 'X'), 0.05);
	assert.equal(streetOf({ customer: { address: { street: 'a' } } }), 'A');
	assert.ok(groupBySafe([{ kind: 'a' }], 'kind'));
});

test('text', () => {
	assert.deepEqual(query('x?a=1'), { a: '1' });
	assert.equal(lookUp('hi {name}', { name: 'you' }), 'hi you');
});

test('trees', () => {
	assert.equal(find({ key: 1, left: null, right: null }, 1).key, 1);
	assert.equal(nth({ next: { next: null } }, 1).next, null);
	assert.ok(depth({ children: [] }));
});

test('events', () => {
	assert.deepEqual(reducer([], { type: 'add', item: 1 }), [1]);
	assert.equal(middleware([() => 1]), 1);
});
