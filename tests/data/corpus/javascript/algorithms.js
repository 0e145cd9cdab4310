'use strict';
// Textbook algorithms, each with one defect, and without it.

function topologicalOrder(graph) {
	const seen = new Set();
	const order = [];
	const visit = (name) => {
		if (seen.has(name))
			return;
		seen.add(name);
		graph[name].forEach(visit); // @here topologicalOrder
		order.unshift(name);
	};
	Object.keys(graph).forEach(visit);
	return order;
}

function topologicalOrderSafe(graph) {
	const seen = new Set();
	const order = [];
	const visit = (name) => {
		if (seen.has(name))
			return;
		seen.add(name);
		(graph[name] || []).forEach(visit); // @here topologicalOrderSafe
		order.unshift(name);
	};
	Object.keys(graph).forEach(visit);
	return order;
}

function search(start, goal) {
	const queue = [start];
	const seen = new Set(queue);
	while (true) {
		const node = queue.shift();
		if (node === goal)
			return true;
		for (const next of node.next.filter((n) => !seen.has(n))) { // @here search
			seen.add(next);
			queue.push(next);
		}
	}
}

function searchSafe(start, goal) {
	const queue = [start];
	const seen = new Set(queue);
	while (queue.length > 0) {
		const node = queue.shift();
		if (node === goal)
			return true;
		for (const next of node.next.filter((n) => !seen.has(n))) { // @here searchSafe
			seen.add(next);
			queue.push(next);
		}
	}
	return false;
}

function merge(a, b) {
	const head = { next: null };
	let tail = head;
	while (a !== null || b !== null) {
		const isFirst = a.value <= b.value; // @here merge
		tail.next = isFirst ? a : b;
		if (isFirst)
			a = a.next;
		else
			b = b.next;
		tail = tail.next;
	}
	return head.next;
}

function mergeSafe(a, b) {
	const head = { next: null };
	let tail = head;
	while (a !== null && b !== null) {
		const isFirst = a.value <= b.value; // @here mergeSafe
		tail.next = isFirst ? a : b;
		if (isFirst)
			a = a.next;
		else
			b = b.next;
		tail = tail.next;
	}
	tail.next = a === null ? b : a;
	return head.next;
}

function brackets(text) {
	const stack = [];
	const pairs = { ')': '(', ']': '[' };
	for (let i = 0; i < text.length; i++) {
		const ch = text[i];
		if (ch === '(' || ch === '[')
			stack.push({ ch, at: i });
		else if (ch in pairs)
			if (stack.pop().ch !== pairs[ch]) // @here brackets
				return i;
	}
	return -1;
}

function bracketsSafe(text) {
	const stack = [];
	const pairs = { ')': '(', ']': '[' };
	for (let i = 0; i < text.length; i++) {
		const ch = text[i];
		if (ch === '(' || ch === '[')
			stack.push({ ch, at: i });
		else if (ch in pairs)
			if (!stack.length || stack.pop().ch !== pairs[ch]) // @here bracketsSafe
				return i;
	}
	return -1;
}

function table(text) {
	const lines = text.split('\n');
	const names = lines.shift().split(',');
	return lines.map((line) => {
		const cells = line.split(',');
		return names.map((name, i) => name + cells[i].trim()); // @here table
	});
}

function tableSafe(text) {
	const lines = text.split('\n');
	const names = lines.shift().split(',');
	return lines.map((line) => {
		const cells = line.split(',');
		return names.map((name, i) => name + (cells[i] || '').trim()); // @here tableSafe
	});
}

function flatten(list) {
	const out = [];
	for (const item of list)
		if (item && item.length !== undefined)
			out.push(...flatten(item)); // @here flatten
		else
			out.push(item);
	return out;
}

function flattenSafe(list) {
	const out = [];
	for (const item of list)
		if (Array.isArray(item))
			out.push(...flattenSafe(item)); // @here flattenSafe
		else
			out.push(item);
	return out;
}

// No bugs: a tree's children are trees, a pair has two parts, a variable that
// starts empty says nothing of what it is given.
function depth(node) {
	let most = 0;
	for (const child of node.children)
		most = Math.max(most, depth(child)); // @here depth
	return most + 1;
}

function weights(pairs) {
	let sum = 0;
	for (const [from, to] of pairs)
		sum += from.weight * to.weight; // @here weights
	return sum;
}

function best(entries) {
	let found;
	for (const entry of entries)
		if (!found || entry.points > found.points)
			found = entry;
	return found ? found.name : null; // @here best
}

// Counters: methods that are defined apart, and one that nothing calls.
module.exports = Counter;
function Counter(start) {
	this.start = start;
	this.steps = [];
}
Counter.prototype.last = last;
Counter.prototype.lastSafe = lastSafe;
function last() {
	return this.steps[this.steps.length - 1].size; // @here last
}
function lastSafe() {
	return this.steps.map((s) => s.size); // @here lastSafe
}
function nobody() {
	return this.steps.length; // @here nobody
}

// What a default raises is no matter of the body, on one line with it or not.
function bound(n, size = [n].find((x) => x > 1e9).size) { return size; }

// A message that JSON has to escape.
function escaped(list) {
	return list.find((x) => x > 1e9)['a\\q']; // @here escaped
}

Object.assign(module.exports, { bound, escaped, topologicalOrder, topologicalOrderSafe, search,
	searchSafe, merge, mergeSafe, brackets, bracketsSafe, table, tableSafe,
	flatten, flattenSafe, depth, weights, best, nobody });
