// jsx.js -- writes an element as a call of __cupel_jsx(type, properties,
// ...children).
//
// Part of both node programs, beside strip.js.  Only the marks around names,
// values and children are replaced: the text in braces stays where it is.
'use strict';

function jsxName(name, text) {
	const word = text.slice(name.start, name.end);
	return name.type === 'JSXIdentifier' && /^[a-z]/.test(word) ||
		name.type === 'JSXNamespacedName' ? JSON.stringify(word) : word;
}

function jsxAttribute(a, edits) {
	if (a.type === 'JSXSpreadAttribute') {
		edits.put(a.start, a.start + 1, ', ');
		return edits.put(a.end - 1, a.end, '');
	}
	const name = JSON.stringify(edits.text.slice(a.name.start, a.name.end));
	if (a.value === null)
		return edits.put(a.start, a.end, ', ' + name + ': true');
	edits.put(a.start, a.value.start, ', ' + name + ': ');
	if (a.value.type === 'JSXExpressionContainer') {
		edits.put(a.value.start, a.value.start + 1, '(');
		edits.put(a.value.end - 1, a.value.end, ')');
	}
}

function jsxText(c, edits) {
	const words = c.value.split(/\r?\n/).map((w, i, all) =>
		w.replace(i > 0 ? /^\s+/ : /^$/, '')
			.replace(i < all.length - 1 ? /\s+$/ : /^$/, ''))
		.filter((w) => w).join(' ');
	const lines = edits.text.slice(c.start, c.end).replace(/[^\n]/g, '');
	edits.put(c.start, c.end,
		(words ? ', ' + JSON.stringify(words) : '') + lines);
}

function jsxChild(c, edits) {
	if (c.type === 'JSXText')
		return jsxText(c, edits);
	if (c.type === 'JSXExpressionContainer' &&
	    c.expression.type === 'JSXEmptyExpression')
		return edits.blank(c.start, c.end);
	if (c.type === 'JSXExpressionContainer' || c.type === 'JSXSpreadChild') {
		edits.put(c.start, c.start + 1, ', (');
		edits.put(c.end - 1, c.end, ')');
	} else {
		edits.put(c.start, c.start, ', ');
	}
}

// Replace the element's own marks; the caller walks its children.
function stripJsx(node, edits) {
	const open = node.openingElement || node.openingFragment;
	const close = node.closingElement || node.closingFragment;
	if (node.type === 'JSXFragment') {
		edits.put(open.start, open.end, '__cupel_jsx("", {}');
	} else {
		edits.put(open.start, open.name.end, '__cupel_jsx(' +
			jsxName(open.name, edits.text) + ', {__proto__: null');
		for (const a of open.attributes)
			jsxAttribute(a, edits);
		edits.put(open.end - (open.selfClosing ? 2 : 1), open.end,
			open.selfClosing ? '})' : '}');
	}
	for (const c of node.children)
		jsxChild(c, edits);
	if (close)
		edits.put(close.start, close.end, ')');
}

module.exports = { stripJsx };
