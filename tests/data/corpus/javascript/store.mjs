// A class, a module, its own imports.
import { EventEmitter } from 'node:events';
import { parse, defaults } from './lib/parse.mjs';
import table from './lib/table.cjs';

export class Store extends EventEmitter {
	#hidden = new Map();

	constructor(rows, options) {
		super();
		this.rows = rows;
		this.options = options || defaults;
		this.index = new Map(rows.map((r) => [r.key, r]));
	}

	get(key) {
		return this.index.get(key).value; // @here get
	}

	peek(key) {
		const row = this.index.get(key);
		return row === undefined ? null : row.value; // @here peek
	}

	static from(text) {
		const rows = parse(text);
		return new Store(rows, rows[0].options); // @here from
	}

	get newest() {
		return this.rows[this.rows.length - 1].value; // @here newest
	}

	*values() {
		for (const row of this.rows)
			yield row.value.toString(); // @here values
	}

	async load(fetch) {
		const answer = await fetch('/rows');
		return answer.rows.find((r) => r.key === 'main').value; // @here load
	}

	hide(key) {
		this.#hidden.set(key, this.index.get(key) ?? null);
		return this.#hidden.size; // @here hide
	}
}

export const first = (list) => list[0].id; // @here first

export default function head(text) {
	const [line] = text.split('\n');
	return table[line].width; // @here head
}

// Not exported: by its name at the top level of the module.
function inner(words) {
	return words.pop().length; // @here inner
}

export function count(words) {
	let n = 0;
	while (words.length)
		n += inner(words);
	return n; // @here count
}
