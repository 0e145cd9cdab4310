// tree.js -- questions about a syntax tree that both programs ask.
'use strict';

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod|ClassPrivateMethod)$/;

const WRAPPERS = /^(TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|ParenthesizedExpression|TypeCastExpression)$/;

class Failed extends Error {}

function unwrap(node) {
	while (node && WRAPPERS.test(node.type))
		node = node.expression;
	return node;
}

function keyName(node) {
	const k = node.key || node.property;
	if (!node.computed && k.type === 'Identifier')
		return k.name;
	if (k.type === 'StringLiteral' || k.type === 'NumericLiteral')
		return String(k.value);
	return null;
}

// a.b.c as a list of names, or null.
function chain(node) {
	node = unwrap(node);
	if (node.type === 'Identifier')
		return [node.name];
	if (node.type !== 'MemberExpression')
		return null;
	const head = chain(node.object), key = keyName(node);
	return head && key !== null ? [...head, key] : null;
}

const isStatement = (n) => /Statement$|Declaration$/.test(n.type);

const SKIPPED = new Set(['loc', 'start', 'end', 'type', 'extra', 'range',
	'leadingComments', 'trailingComments', 'innerComments', 'comments',
	'tokens', 'errors']);

function childrenOf(node) {
	const out = [];
	for (const key of Object.keys(node)) {
		if (SKIPPED.has(key))
			continue;
		const v = node[key];
		for (const c of Array.isArray(v) ? v : [v])
			if (c && typeof c === 'object' && typeof c.type === 'string')
				out.push(c);
	}
	return out;
}

module.exports = {
	FUNCTION, Failed, WRAPPERS, chain, childrenOf, isStatement, keyName,
	unwrap,
};
