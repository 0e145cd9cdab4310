// types.js -- makes lists of values from TypeScript annotations and JSDoc.
'use strict';

const { docTags } = require('./doc.js');
const { Shape } = require('./shape.js');
const { makeReceiver } = require('./slots.js');
const { chain, keyName } = require('./tree.js');
const { NOTHING, place, variants } = require('./values.js');

const NEST_MAX = 5; // of types in types

class Types {
	constructor(finder, ast, parser) {
		this.finder = finder;
		this.parser = parser;
		this.named = new Map(); // name -> type node, interface, enum
		this.making = new Set(); // classes whose constructor is read
		this.inside = []; // names of types, each inside the one before
		for (const s of ast.program.body)
			this.declare(s.declaration || s);
		for (const c of ast.comments || [])
			this.typedef(c.value);
	}

	declare(s) {
		if (/^TS(TypeAlias|Interface|Enum)Declaration$/.test(s.type))
			this.named.set(s.id.name, s);
	}

	// -- JSDoc -------------------------------------------------------------------

	parseType(text) {
		const plain = text.replace(/^\.\.\./, '').replace(/=$/, '')
			.replace(/\bObject\.?</g, 'Record<').replace(/\.</g, '<')
			.replace(/\?([\w.<>]+)/g, '($1|null)')
			.replace(/!(\w)/g, '$1').replace(/^\*$/, 'any')
			.replace(/\bfunction\([^)]*\)(:\s*\w+)?/g, 'Function');
		try {
			const ast = this.parser.parse('type _ = ' + plain,
				{ plugins: ['typescript'] });
			return ast.program.body[0].typeAnnotation;
		} catch (e) {
			return null;
		}
	}

	typedef(text) {
		const m = /@typedef\s*(?:\{([^]*?)\})?\s*(\w+)/.exec(text);
		if (!m)
			return;
		const tags = docTags(text, 'property|prop');
		const type = tags.length > 0 ? this.literalOf(tags) :
			m[1] && this.parseType(m[1]);
		if (type)
			this.named.set(m[2], { type: 'TSTypeAliasDeclaration',
				typeAnnotation: type });
	}

	literalOf(tags) {
		return { type: 'TSTypeLiteral', members: tags.map((t) => ({
			type: 'TSPropertySignature', optional: t.optional,
			key: { type: 'Identifier', name: t.name },
			typeAnnotation: { typeAnnotation: this.parseType(t.type) ||
				{ type: 'TSUnknown' } } })) };
	}

	// name -> {type, optional} of a comment's @param lines.
	params(text) {
		const out = new Map(), nested = new Map();
		for (const t of docTags(text, 'param|arg|argument')) {
			const [head, ...rest] = t.name.split('.');
			if (rest.length === 1) {
				const list = nested.get(head) || [];
				list.push({ ...t, name: rest[0] });
				nested.set(head, list);
			} else if (rest.length === 0) {
				out.set(head, { type: this.parseType(t.type),
					optional: t.optional });
			}
		}
		for (const [head, tags] of nested)
			if (out.has(head) && !/\[\]$/.test(head))
				out.get(head).type = this.literalOf(tags);
		return out;
	}

	// -- values -------------------------------------------------------------------

	make(maker, t, shape, depth) {
		if (depth > NEST_MAX + 1)
			return place([NOTHING], [], []);
		const f = this[t.type];
		return f ? f.call(this, maker, t, shape, depth) : null;
	}

	kind(maker, kind, shape, depth) {
		return place(maker.byKind(kind, shape, depth), [], []);
	}

	TSStringKeyword(maker, t, shape, depth) {
		return this.kind(maker, 'string', shape, depth);
	}

	TSNumberKeyword(maker, t, shape) {
		return place(maker.numbers(shape), [], []);
	}

	TSBooleanKeyword() {
		return place([false, true]);
	}

	TSBigIntKeyword(maker) {
		return place(maker.bigs());
	}

	TSNullKeyword() {
		return place([], [null]);
	}

	TSUndefinedKeyword() {
		return place([], [NOTHING]);
	}

	TSVoidKeyword() {
		return place([], [NOTHING]);
	}

	TSUnknownKeyword(maker, t, shape, depth) {
		const made = maker.byShape(shape, depth);
		return place(made.ok, [null, NOTHING], []);
	}

	TSAnyKeyword(maker, t, shape, depth) {
		return maker.byShape(shape, depth);
	}

	TSObjectKeyword(maker, t, shape, depth) {
		return this.kind(maker, 'object', shape, depth);
	}

	TSParenthesizedType(maker, t, shape, depth) {
		return this.make(maker, t.typeAnnotation, shape, depth);
	}

	TSOptionalType(maker, t, shape, depth) {
		const made = this.some(maker, t.typeAnnotation, shape, depth);
		return place(made.ok, [...made.odd, NOTHING]);
	}

	TSTypeOperator(maker, t, shape, depth) {
		return t.operator === 'readonly' ?
			this.make(maker, t.typeAnnotation, shape, depth) : null;
	}

	TSLiteralType(maker, t) {
		const v = t.literal;
		if (v.type === 'UnaryExpression')
			return place([-v.argument.value], [], [], true);
		if (v.type === 'BigIntLiteral')
			return place([{ $bigint: v.value }], [], [], true);
		return v.value === undefined ? null : place([v.value], [], [], true);
	}

	TSArrayType(maker, t, shape, depth) {
		return this.arrayOf(maker, t.elementType, shape, depth);
	}

	arrayOf(maker, type, shape, depth) {
		const one = this.some(maker, type, shape.elem(), depth + 1);
		return place(maker.arrays({ ...one, wild: [] }, depth));
	}

	TSTupleType(maker, t, shape, depth) {
		const parts = t.elementTypes.map((e) => this.some(maker,
			e.type === 'TSNamedTupleMember' ? e.elementType : e,
			shape.elem(), depth + 1));
		const width = Math.max(1, ...parts.map((p) => p.ok.length));
		const rows = [];
		for (let i = 0; i < width; i++)
			rows.push(parts.map((p) =>
				p.ok[Math.min(i, p.ok.length - 1)]));
		parts.forEach((p, at) => p.odd.forEach((v) =>
			rows.push(rows[0].map((x, i) => i === at ? v : x))));
		return place(rows, [], [], true);
	}

	TSUnionType(maker, t, shape, depth) {
		const parts = t.types.map((u) => this.some(maker, u, shape, depth));
		const most = Math.max(0, ...parts.map((p) => p.ok.length));
		const ok = [];
		for (let i = 0; i < most; i++)
			for (const p of parts)
				if (i < p.ok.length)
					ok.push(p.ok[i]);
		return place(ok, parts.flatMap((p) => p.odd), [],
			parts.every((p) => p.fixed || p.ok.length === 0));
	}

	TSIntersectionType(maker, t, shape, depth) {
		const members = t.types.flatMap((u) => this.membersOf(u) || []);
		return this.literal(maker, members, shape, depth);
	}

	TSTypeLiteral(maker, t, shape, depth) {
		return this.literal(maker, t.members, shape, depth);
	}

	TSFunctionType(maker, t, shape, depth) {
		const r = t.typeAnnotation || t.returnType;
		const one = r ? this.some(maker, r.typeAnnotation, shape.ret(),
			depth + 1) : place([NOTHING]);
		const values = [...one.ok.slice(0, 6), ...one.odd];
		return place((values.length ? values : [NOTHING])
			.map((v) => ({ $call: v })));
	}

	TSIndexedAccessType(maker, t, shape, depth) {
		const key = t.indexType.literal && t.indexType.literal.value;
		const member = (this.membersOf(t.objectType) || [])
			.find((m) => m.key && keyName(m) === key);
		return member && member.typeAnnotation ? this.make(maker,
			member.typeAnnotation.typeAnnotation, shape, depth) : null;
	}

	// By use, where the annotation says nothing that is known here.
	some(maker, type, shape, depth) {
		return (type && this.make(maker, type, shape, depth)) ||
			{ ...maker.byShape(shape, depth), wild: [] };
	}

	membersOf(t) {
		if (t.type === 'TSTypeLiteral')
			return t.members;
		const named = t.type === 'TSTypeReference' &&
			this.named.get((chain2(t.typeName) || []).join('.'));
		if (!named)
			return null;
		if (named.type === 'TSTypeAliasDeclaration')
			return this.membersOf(named.typeAnnotation);
		if (named.type !== 'TSInterfaceDeclaration')
			return null;
		const above = (named.extends || []).flatMap((h) => this.membersOf({
			type: 'TSTypeReference', typeName: h.expression }) || []);
		return [...above, ...named.body.body];
	}

	literal(maker, members, shape, depth) {
		const list = [];
		let index = null;
		if (depth > NEST_MAX)
			return place([]); // no value would be finite
		maker.isTyped = true;
		for (const m of members) {
			const type = m.typeAnnotation && m.typeAnnotation.typeAnnotation;
			if (m.type === 'TSIndexSignature')
				index = type;
			if (!m.key || keyName(m) === null)
				continue;
			const at = shape.prop(keyName(m));
			const made = m.type === 'TSMethodSignature' ?
				this.TSFunctionType(maker, m, at, depth + 1) :
				this.some(maker, type, at, depth + 1);
			if (made.ok.length + made.odd.length === 0 && !m.optional)
				return place([]);
			// What ends it comes first.
			if (this.inside.length > 0 && this.names(type))
				made.ok.unshift(...made.odd.splice(0));
			// What is optional is there, and then not.
			list.push({ name: keyName(m), made: { ...made, wild: [],
				odd: m.optional ? [...made.odd, NOTHING] : made.odd,
				ok: made.ok.length ? made.ok : made.odd } });
		}
		if (index && list.length === 0)
			return place(maker.dicts(this.some(maker, index, shape.elem(),
				depth + 1), shape));
		return place(variants(list));
	}

	// Whether a type names one that is being made.
	names(type) {
		const parts = !type ? [] : type.types || [type];
		return parts.some((t) => t.type === 'TSTypeReference' &&
			this.inside.includes((chain2(t.typeName) || []).join('.')));
	}

	TSTypeReference(maker, t, shape, depth) {
		const name = (chain2(t.typeName) || []).join('.');
		const args = t.typeParameters || t.typeArguments;
		const inner = args ? args.params : [];
		const named = this.named.get(name);
		if (named)
			return this.ofNamed(maker, name, named, shape, depth);
		if (/^(Array|ReadonlyArray|Iterable|ArrayLike)$/.test(name))
			return this.arrayOf(maker, inner[0], shape, depth);
		if (/^(Readonly|Required|NonNullable|Pick|Omit)$/.test(name))
			return this.make(maker, inner[0], shape, depth);
		if (name === 'Partial') {
			const members = inner[0] && this.membersOf(inner[0]);
			return members && this.literal(maker, members.map((m) =>
				({ ...m, optional: true })), shape, depth);
		}
		const known = this.ofKnown(maker, name, inner, shape, depth);
		if (known)
			return known;
		return this.finder.classes.has(name) ?
			place(this.instances(maker, name, depth, shape), [], [], true) : null;
	}

	ofKnown(maker, name, inner, shape, depth) {
		const one = (i, s) => this.some(maker, inner[i], s, depth + 1);
		switch (name) {
		case 'Record':
			return inner[0] && /Literal|Union/.test(inner[0].type) ? null :
				place(maker.dicts(one(1, shape.elem()), shape));
		case 'Map':
		case 'ReadonlyMap': {
			const keys = one(0, new Shape()).ok;
			return place(maker.maps(one(1, shape.elem()),
				keys.length ? keys : ['a']));
		}
		case 'Set':
		case 'ReadonlySet':
			return place([{ $set: [] }, ...one(0, shape.elem()).ok.slice(0, 3)
				.map((v) => ({ $set: [v] }))]);
		case 'Promise':
			return place(maker.promises(one(0, shape.ret())));
		case 'Function':
			return this.kind(maker, 'function', shape, depth);
		case 'string': case 'String':
			return this.kind(maker, 'string', shape, depth);
		case 'number': case 'Number':
			return place(maker.numbers(shape));
		case 'Object': case 'object':
			return this.kind(maker, 'object', shape, depth);
		case 'Boolean':
			return place([false, true]);
		case 'Date': case 'RegExp': case 'Error':
			return this.kind(maker, name.toLowerCase(), shape, depth);
		case 'Buffer': case 'Uint8Array':
			return this.kind(maker, 'bytes', shape, depth);
		default:
			return null;
		}
	}

	// A name inside itself is made once more, then no value of it ends.
	ofNamed(maker, name, named, shape, depth) {
		if (named.type === 'TSTypeAliasDeclaration' ||
		    named.type === 'TSInterfaceDeclaration') {
			if (this.inside.filter((n) => n === name).length > 1)
				return place([]);
			this.inside.push(name);
			const made = named.type === 'TSTypeAliasDeclaration' ?
				this.make(maker, named.typeAnnotation, shape, depth + 1) :
				this.literal(maker, this.membersOf({
					type: 'TSTypeReference', typeName: named.id }), shape,
				depth);
			this.inside.pop();
			return made;
		}
		const members = named.members || named.body.members;
		maker.needs.add(name);
		return place(members.slice(0, 8).map((m) => ({ $member: name + '.' +
			(m.id.name === undefined ? m.id.value : m.id.name) })), [], [],
		true);
	}

	instances(maker, name, depth, shape) {
		const c = this.finder.classes.get(name);
		maker.needs.add(c.way[0] === 'local' ? c.way[1] : name);
		if (depth > 3)
			return [{ $new: { type: name, arguments: [] } }];
		// A constructor that takes one of its own: not of that one again.
		if (this.making.has(name))
			return [];
		this.making.add(name);
		const made = makeReceiver(maker, c.node, null);
		this.making.delete(name);
		for (const p of made)
			if (!p.isTyped)
				maker.asUsed(p, shape, depth);
		const rows = [made.map((p) => p.made.ok.length ? p.made.ok[0] :
			NOTHING)];
		made.forEach((p, at) => [...p.made.ok.slice(1, at ? 4 : 12),
			...p.made.odd]
			.forEach((v) => rows.push(rows[0].map((x, i) =>
				i === at ? v : x))));
		return rows.map((row) => ({ $new: { type: name,
			arguments: row.map((value, i) => ({ name: made[i].name,
				by: 'position', value })) } }));
	}
}

function chain2(n) {
	return n.type === 'TSQualifiedName' ? [...chain2(n.left), n.right.name] :
		chain(n);
}

module.exports = { Types };
