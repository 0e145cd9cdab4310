// strip.js -- turns TypeScript and JSX into JavaScript, line by line.
//
// Both node programs use it.  What is only for the type checker becomes spaces,
// so lines and (nearly always) columns stay as they are.  What has a meaning of
// its own is rewritten on its own lines where that is possible: enums,
// parameter properties, JSX elements.  The rest is refused with a reason.
'use strict';

const { stripJsx } = require('./jsx.js');
const { childrenOf } = require('./tree.js');

const TS_FILE = /\.[cm]?tsx?$/;
const MODIFIERS = /\b(?:public|private|protected|readonly|override|abstract|declare)\b/g;

class Refused extends Error {}

function parse(parser, text, file) {
	const isTs = TS_FILE.test(file);
	const plugins = ['decorators-legacy', 'importAttributes'];
	if (isTs)
		plugins.push('typescript');
	if (!isTs || /x$/.test(file))
		plugins.push('jsx');
	return parser.parse(text, { plugins, sourceType: 'unambiguous',
		allowReturnOutsideFunction: true, errorRecovery: false,
		allowAwaitOutsideFunction: true });
}

// A list of [from, to, text] without overlaps.
class Edits {
	constructor(text) {
		this.text = text;
		this.list = [];
	}

	put(from, to, text) {
		this.list.push([from, to, text]);
	}

	blank(from, to) {
		this.put(from, to, this.text.slice(from, to)
			.replace(/[^\n\r\u2028\u2029]/g, ' '));
	}

	// A whole statement: what comes before it must not join what follows.
	statement(node) {
		this.put(node.start, node.end, ';' + this.text
			.slice(node.start + 1, node.end)
			.replace(/[^\n\r\u2028\u2029]/g, ' '));
	}

	// {text, back}: back says where a place of the new text was in the old.
	done() {
		const marks = [];
		let out = '', at = 0;
		this.list.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
		for (const [from, to, text] of this.list) {
			if (from < at)
				continue; // inside something removed
			out += this.text.slice(at, from);
			marks.push([out.length, out.length + text.length, from, to]);
			out += text;
			at = to;
		}
		out += this.text.slice(at);
		return { text: out, back: (pos) => backOf(marks, pos) };
	}
}

function backOf(marks, pos) {
	let shift = 0;
	for (let i = 0; i < marks.length; i++) {
		const m = marks[i];
		if (pos < m[0])
			break;
		if (pos < m[1]) {
			const into = m[2] + (pos - m[0]);
			return into < m[3] ? into : m[3] > m[2] ? m[3] - 1 : m[2];
		}
		shift = m[3] - m[1];
	}
	return pos + shift;
}

function refuse(what, node) {
	throw new Refused('no-typescript: ' + what + ' at line ' +
		node.loc.start.line + ' cannot be stripped');
}

// -- imports that are only types -------------------------------------------------

// The names that are used as values anywhere: their imports must stay.
function valueNames(ast) {
	const names = new Set();
	const todo = [ast.program];
	while (todo.length > 0) {
		const n = todo.pop();
		if (n.type === 'ImportDeclaration')
			continue;
		if (n.type.startsWith('TS') && !KEPT.has(n.type))
			continue;
		if (n.type === 'Identifier' || n.type === 'JSXIdentifier')
			names.add(n.name);
		if (n.type === 'ExportNamedDeclaration' && n.exportKind === 'type')
			continue;
		if (n.implements) {
			for (const c of childrenOf(n))
				if (!n.implements.includes(c))
					todo.push(c);
			continue;
		}
		todo.push(...childrenOf(n));
	}
	return names;
}

const KEPT = new Set(['TSAsExpression', 'TSSatisfiesExpression',
	'TSNonNullExpression', 'TSTypeAssertion', 'TSInstantiationExpression',
	'TSEnumDeclaration', 'TSEnumBody', 'TSEnumMember', 'TSParameterProperty',
	'TSExportAssignment', 'TSImportEqualsDeclaration', 'TSModuleDeclaration']);

function stripImport(node, edits, used) {
	if (node.importKind === 'type' || node.importKind === 'typeof')
		return edits.statement(node);
	const gone = node.specifiers.filter((s) => s.importKind === 'type' ||
		!used.has(s.local.name));
	if (gone.length > 0 && gone.length === node.specifiers.length)
		return edits.statement(node);
	for (const s of gone) {
		if (s.type === 'ImportSpecifier')
			blankItem(edits, s);
		else if (s.type === 'ImportDefaultSpecifier')
			edits.blank(s.start, edits.text.indexOf('{', s.end));
	}
}

// Blank an item together with the comma after it.
function blankItem(edits, node) {
	const comma = /^\s*,/.exec(edits.text.slice(node.end));
	edits.blank(node.start, node.end + (comma ? comma[0].length : 0));
}

// -- the walk ---------------------------------------------------------------------

const TYPE_STATEMENTS = new Set(['TSInterfaceDeclaration',
	'TSTypeAliasDeclaration', 'TSDeclareFunction',
	'TSNamespaceExportDeclaration']);
const BLANKED = new Set(['TSTypeAnnotation', 'TSTypeParameterDeclaration',
	'TSTypeParameterInstantiation', 'TSDeclareMethod', 'TSIndexSignature',
	'TSTypeCastExpression']);

function isTypeOnly(node) {
	return TYPE_STATEMENTS.has(node.type) || node.declare === true ||
		(node.type === 'TSModuleDeclaration' && hasOnlyTypes(node)) ||
		(node.type === 'TSImportEqualsDeclaration' &&
		 node.importKind === 'type');
}

function hasOnlyTypes(node) {
	const body = node.body.body;
	return (Array.isArray(body) ? body : [node.body]).every((s) =>
		isTypeOnly(s.declaration || s));
}

function stripExport(node, edits) {
	if (node.exportKind === 'type' ||
	    (node.declaration && isTypeOnly(node.declaration))) {
		edits.statement(node);
		return true;
	}
	for (const s of node.specifiers || [])
		if (s.exportKind === 'type')
			blankItem(edits, s);
	return false;
}

function blankWords(edits, from, to) {
	for (const m of edits.text.slice(from, to).matchAll(MODIFIERS))
		edits.blank(from + m.index, from + m.index + m[0].length);
}

// Blank the "?" or "!" between a name and its type.
function blankMark(edits, from, to) {
	const at = edits.text.slice(from, to).search(/[?!]/);
	if (at >= 0)
		edits.blank(from + at, from + at + 1);
}

function stripClass(node, edits) {
	const before = node.id || node.body;
	if (node.abstract)
		blankWords(edits, node.start, before.start);
	if (node.implements && node.implements.length > 0) {
		const last = node.implements[node.implements.length - 1];
		const head = edits.text.slice(0, node.implements[0].start);
		edits.blank(head.lastIndexOf('implements'), last.end);
	}
}

function stripMember(node, edits) {
	if (node.declare || node.abstract) {
		edits.statement(node);
		return true;
	}
	const key = node.key;
	blankWords(edits, node.start, key.start);
	if (node.optional || node.definite) {
		const next = node.typeAnnotation || node.value ||
			(node.params && node.params[0]);
		blankMark(edits, key.end, next ? next.start : node.end);
	}
	return false;
}

function stripParameters(node, edits) {
	const first = node.params[0];
	if (first && first.type === 'Identifier' && first.name === 'this')
		blankItem(edits, first);
	let text = '';
	for (const p of node.params) {
		if (p.type !== 'TSParameterProperty')
			continue;
		const inner = p.parameter;
		const name = (inner.left || inner).name;
		edits.blank(p.start, inner.start);
		text += ' this.' + name + ' = ' + name + ';';
	}
	if (!text)
		return;
	const head = node.body.body.find((s) => s.expression &&
		s.expression.type === 'CallExpression' &&
		s.expression.callee.type === 'Super');
	const at = head ? head.end : node.body.start + 1;
	edits.put(at, at, text);
}

function stripEnum(node, edits) {
	const members = node.members || node.body.members;
	const name = node.id.name;
	const open = edits.text.indexOf('{', node.id.end);
	let last = null;
	let at = open + 1;
	edits.put(node.start, at, 'var ' + name + ' = ((' + name + ') => {');
	for (const m of members) {
		const key = m.id.name === undefined ? m.id.value : m.id.name;
		const isText = m.initializer && /^(String|Template)Literal$/
			.test(m.initializer.type);
		const value = m.initializer ? edits.text.slice(m.initializer.start,
			m.initializer.end) : last === null ? '0' : last + ' + 1';
		const word = JSON.stringify(key);
		const place = name + '[' + word + ']';
		const local = m.id.type === 'Identifier' ? 'const ' + key + ' = ' : '';
		edits.blank(at, m.start);
		edits.put(m.start, m.end, local + '(' + place + ' = ' + value + ');' +
			(isText ? '' : ' ' + name + '[' + place + '] = ' + word + ';'));
		last = place;
		at = m.end;
	}
	edits.blank(at, node.end - 1);
	edits.put(node.end - 1, node.end, 'return ' + name + '; })({});');
}

function stripAssertion(node, edits) {
	const type = node.typeAnnotation;
	if (node.type === 'TSTypeAssertion') {
		edits.blank(node.start, edits.text.indexOf('>', type.end) + 1);
		return node.expression;
	}
	const word = node.type === 'TSAsExpression' ? 'as' : 'satisfies';
	edits.blank(edits.text.lastIndexOf(word, type.start - 1), node.end);
	return node.expression;
}

// Make the edits that a node needs; returns the children that are still to be
// walked.
function stripNode(node, edits, used) {
	const t = node.type;
	if (t === 'Decorator')
		refuse('a decorator', node);
	if (BLANKED.has(t)) {
		edits.blank(node.start, node.end);
		return [];
	}
	if (t === 'ImportDeclaration') {
		stripImport(node, edits, used);
		return [];
	}
	if (/^Export(Named|All|Default)/.test(t) && stripExport(node, edits))
		return [];
	if (isTypeOnly(node)) {
		edits.statement(node);
		return [];
	}
	if (t === 'TSAsExpression' || t === 'TSSatisfiesExpression' ||
	    t === 'TSTypeAssertion')
		return [stripAssertion(node, edits)];
	if (t === 'TSNonNullExpression')
		edits.blank(node.end - 1, node.end);
	if (t === 'TSEnumDeclaration') {
		stripEnum(node, edits);
		return [];
	}
	if (t === 'TSModuleDeclaration')
		refuse('a namespace', node);
	if (t === 'TSExportAssignment' || t === 'TSImportEqualsDeclaration')
		refuse(t === 'TSExportAssignment' ? 'export =' : 'import =', node);
	if (/^Class(Declaration|Expression)$/.test(t)) {
		stripClass(node, edits);
		return childrenOf(node).filter((c) =>
			!(node.implements || []).includes(c));
	}
	if (/^Class\w*(Property|Method)$/.test(t) && stripMember(node, edits))
		return [];
	if (node.params && node.body)
		stripParameters(node, edits);
	if (node.optional && /^(Identifier|\w+Pattern)$/.test(t))
		blankMark(edits, t === 'Identifier' ? node.start + node.name.length :
			closeOf(edits.text, node), node.typeAnnotation ?
			node.typeAnnotation.start : node.end);
	if (node.definite && node.id)
		blankMark(edits, node.id.start + (node.id.name || '').length,
			node.id.typeAnnotation.start);
	return childrenOf(node);
}

function closeOf(text, pattern) {
	const to = pattern.typeAnnotation ? pattern.typeAnnotation.start :
		pattern.end;
	return Math.max(text.lastIndexOf('}', to), text.lastIndexOf(']', to));
}

// {text, back, isModule}; throws Refused, or the parser's error.
function strip(parser, text, file) {
	if (!TS_FILE.test(file) && !/\.jsx?$/.test(file))
		return { text, back: (pos) => pos };
	const ast = parse(parser, text, file);
	const edits = new Edits(text);
	const used = TS_FILE.test(file) ? valueNames(ast) : null;
	const todo = [ast.program];
	while (todo.length > 0) {
		const node = todo.pop();
		if (node.type === 'JSXElement' || node.type === 'JSXFragment')
			stripJsx(node, edits);
		todo.push(...(used ? stripNode(node, edits, used) :
			childrenOf(node)));
	}
	return { ...edits.done(), isModule: ast.program.sourceType === 'module' };
}

module.exports = { Refused, TS_FILE, parse, strip };
