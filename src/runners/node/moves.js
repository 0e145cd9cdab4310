// moves.js -- variants of a value that callers pass, with one place in it moved
// to a boundary: a number becomes 0, a text or a list is empty or short, a
// property is missing.
'use strict';

const EACH_MAX = 12; // variants of one value
const DEEP_MAX = 4;

function each(values, depth) {
	const out = [], moved = values.slice(0, 8).map((v) => inside(v, depth + 1));
	const most = Math.max(0, ...moved.map((m) => m.length));
	for (let rank = 0; rank < most; rank++)
		moved.forEach((m, i) => {
			if (rank < m.length)
				out.push(values.map((v, j) => j === i ? m[rank] : v));
		});
	return out;
}

function ofText(text) {
	const out = ['', text.replace(/\d+/g, '0'), text.slice(0, -1),
		text.slice(1)];
	for (const sign of new Set(text.match(/[^\w\s]/g) || []))
		out.push(text.replace(sign, ''));
	return out.filter((t, i) => t !== text && out.indexOf(t) === i);
}

// Variants of an encoded value, each with one place moved.
function inside(v, depth = 0) {
	if (v === null || depth > DEEP_MAX)
		return [];
	if (typeof v === 'number')
		return [0, -1].filter((x) => x !== v);
	if (typeof v === 'string')
		return ofText(v).slice(0, EACH_MAX);
	if (Array.isArray(v))
		return [...(v.length ? [[]] : []), ...(v.length > 1 ?
			[v.slice(0, -1)] : []), ...each(v, depth)].slice(0, EACH_MAX);
	if (v.$object) {
		const list = v.$object;
		const lacking = list.map((_, i) => list.filter((_x, j) => j !== i));
		const moved = each(list.map((p) => p[1]), depth).map((row) =>
			row.map((x, i) => [list[i][0], x]));
		const few = list.length > 1 ? [[], ...lacking] : lacking;
		return [...few, ...moved].slice(0, EACH_MAX)
			.map((l) => ({ $object: l }));
	}
	return [];
}

module.exports = { inside };
