'use strict';

class TreeNode {
	constructor(key, left = null, right = null) {
		this.key = key;
		this.left = left;
		this.right = right;
	}

	smallestKey() {
		let here = this;
		while (here.left)
			here = here.left;
		return here.key; // @here smallestKey
	}

	successor() {
		let here = this.right;
		while (here.left !== null) // @here successor
			here = here.left;
		return here.key;
	}
}

function depth(node) {
	return 1 + Math.max(...node.children.map(depth)); // @here depth
}

function nth(list, n) {
	let here = list;
	for (let i = 0; i < n; i++)
		here = here.next; // @here nth
	return here;
}

function nthSafe(list, n) {
	let here = list;
	for (let i = 0; i < n && here; i++)
		here = here.next; // @here nthSafe
	return here;
}

function find(tree, key) {
	if (tree.key === key) // @here find
		return tree;
	return find(key < tree.key ? tree.left : tree.right, key);
}

function findSafe(tree, key) {
	if (!tree || tree.key === key) // @here findSafe
		return tree;
	return findSafe(key < tree.key ? tree.left : tree.right, key);
}

function countDown(n) {
	if (n === 0)
		return 0;
	return 1 + countDown(n - 1); // @here countDown
}

function countDownSafe(n) {
	if (!(n > 0) || n > 100)
		return 0;
	return 1 + countDownSafe(n - 1); // @here countDownSafe
}

function visit(graph, start, seen = new Set()) {
	seen.add(start);
	graph[start].forEach((next) => { // @here visit
		if (!seen.has(next))
			visit(graph, next, seen);
	});
	return seen;
}

/**
 * @param {Object<string, string[]>} graph
 * @param {string} start
 */
function visitSafe(graph, start, seen = new Set()) {
	seen.add(start);
	for (const next of Array.isArray(graph[start]) ? graph[start] : []) // @here visitSafe
		if (!seen.has(next))
			visitSafe(graph, next, seen);
	return seen;
}

function resolve(deps, name) {
	const out = [];
	for (const d of deps[name] || [])
		out.push(...resolve(deps, d)); // @here resolve
	return out.concat(name);
}

function lca(a, b) {
	while (a !== b) {
		if (a.depth > b.depth) // @here lca
			a = a.parent;
		else
			b = b.parent;
	}
	return a;
}

module.exports = { TreeNode, depth, nth, nthSafe, find, findSafe, countDown,
	countDownSafe, visit, visitSafe, resolve, lca };
