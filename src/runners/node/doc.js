// doc.js -- the comment that documents a function, and its tags.
'use strict';

const { FUNCTION, childrenOf } = require('./tree.js');

// The comment before a function, or before the statement that it is the value
// of.
function docOf(node) {
	const c = (node.leadingComments || []).filter((x) =>
		x.type === 'CommentBlock' && x.value[0] === '*');
	return c.length ? c[c.length - 1].value : node.docs || null;
}

// A comment that stands before a statement is passed down to the function in
// it.
function spreadDocs(node, doc) {
	const own = docOf(node) || (/Declaration$|Statement$|Property$|Method$/
		.test(node.type) || node.type === 'VariableDeclarator' ||
		node.type === 'AssignmentExpression' || FUNCTION.test(node.type) ?
		doc : null);
	if (FUNCTION.test(node.type))
		node.docs = own;
	for (const c of childrenOf(node))
		spreadDocs(c, FUNCTION.test(node.type) ||
			node.type === 'BlockStatement' ||
			node.type === 'ClassBody' ? null : own);
}

// [{type, name, optional}] of the tags with one of those names in a comment.
function docTags(text, names) {
	const out = [];
	const head = new RegExp('@(?:' + names + ')\\s*\\{', 'g');
	for (const m of text.matchAll(head)) {
		let at = m.index + m[0].length, deep = 1;
		const from = at;
		for (; at < text.length && deep > 0; at++)
			deep += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
		const type = text.slice(from, at - 1).replace(/\s*\n\s*\*?/g, ' ');
		const name = /^\s*(\[)?\s*([\w$.]+(?:\[\])?)/.exec(text.slice(at));
		if (name)
			out.push({ type: type.trim(), name: name[2],
				optional: Boolean(name[1]) || /=$/.test(type.trim()) });
	}
	return out;
}

module.exports = { docOf, docTags, spreadDocs };
