// load.js -- loads the flagged module from the sealed source, its imports from
// /repo.
//
// CommonJS is compiled as a function and put into Node's own cache.  Modules
// are vm.SourceTextModule, which Node has since version 12; their names are
// resolved by Node's rules.
'use strict';

const fs = require('fs');
const Module = require('module');
const pathOf = require('path');
const url = require('url');
const vm = require('vm');
const { parserText } = require('./host.js');
const { REPO, apply, descriptorOf, flagged } = require('./keep.js');
const { TS_FILE, strip } = require('./strip.js');

const { createRequire, builtinModules } = Module;
const TS_LIKE = ['.js', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts', '.jsx',
	'.json'];
const CONDITIONS = ['import', 'node', 'module-sync', 'default'];
const parserOf = (() => {
	let made = null;
	return () => {
		if (!made && parserText) {
			const module = { exports: {} };
			vm.compileFunction(parserText, ['module', 'exports', 'require'],
				{ filename: 'cupel-runner' })(module, module.exports,
				require);
			made = module.exports;
		}
		if (!made)
			throw new Error('no-parser');
		return made;
	};
})();

const isFile = (p) => {
	const s = fs.statSync(p, { throwIfNoEntry: false });
	return s !== undefined && s.isFile();
};

function readJson(p) {
	try {
		return JSON.parse(fs.readFileSync(p, 'utf8')
			.replace(/^\s*\/\/.*$|\/\*[^]*?\*\//gm, '')
			.replace(/,(\s*[}\]])/g, '$1'));
	} catch (e) {
		return null;
	}
}

// The nearest file of that name in dir or above, inside the repository.
function upwards(dir, name) {
	for (;;) {
		if (isFile(pathOf.join(dir, name)))
			return pathOf.join(dir, name);
		if (dir.length < REPO.length)
			return null;
		dir = pathOf.dirname(dir);
	}
}

// -- what kind of text ------------------------------------------------------------

const MODULE_TEXT = /^\s*(?:import\s*(?:[\w$*{"']|$)|export\s+(?:default|const|let|var|class|function|async|\*|\{)|export\s*[{*])/m;

function isModule(file, text, known) {
	if (/\.m[jt]s$/.test(file))
		return true;
	if (/\.c[jt]s$/.test(file))
		return false;
	if (known !== undefined ? known : MODULE_TEXT.test(text))
		return true;
	const at = upwards(pathOf.dirname(file), 'package.json');
	const json = at && readJson(at);
	return Boolean(json && json.type === 'module') && /\.[jt]sx?$/.test(file);
}

function cleaned(text) {
	return text.replace(/^\uFEFF/, '').replace(/^#!/, '//');
}

function needsStrip(file, text) {
	return TS_FILE.test(file) || /\.jsx$/.test(file) ||
		(/\.js$/.test(file) && /<\/?[A-Za-z>]/.test(text) &&
		 /<\/[\w.]*>|\/>/.test(text));
}

function readSource(file, given) {
	const text = cleaned(given === undefined ?
		fs.readFileSync(file, 'utf8') : given);
	if (!needsStrip(file, text))
		return { text, back: (pos) => pos };
	try {
		return strip(parserOf(), text, file);
	} catch (e) {
		if (/\.js$/.test(file))
			return { text, back: (pos) => pos };
		throw e;
	}
}

// How a function under test sees an element.
Object.defineProperty(globalThis, '__cupel_jsx', { enumerable: false,
	configurable: true, writable: true,
	value: (type, props, ...children) => ({ type, key: null, props:
		children.length === 0 ? { ...props } : { ...props, children:
			children.length === 1 ? children[0] : children } }) });

// -- where a name leads -------------------------------------------------------------

function asFile(p) {
	if (isFile(p))
		return p;
	const js = /\.([cm]?)jsx?$/.exec(p);
	if (js)
		for (const ext of ['ts', 'tsx'])
			if (isFile(p.slice(0, js.index + 1) + js[1] + ext))
				return p.slice(0, js.index + 1) + js[1] + ext;
	for (const base of [p, p + '/index'])
		for (const ext of TS_LIKE)
			if (isFile(base + ext))
				return base + ext;
	return null;
}

function chosen(entry) {
	if (typeof entry === 'string')
		return entry;
	if (Array.isArray(entry))
		return entry.map(chosen).find((e) => e);
	if (entry && typeof entry === 'object')
		for (const key of Object.keys(entry))
			if (CONDITIONS.includes(key) && chosen(entry[key]))
				return chosen(entry[key]);
	return null;
}

// Look up a key in a table of "exports" or "imports".
function inTable(table, key) {
	if (typeof table === 'string' || Array.isArray(table) ||
	    !Object.keys(table).some((k) => /^[.#]/.test(k)))
		return key === '.' ? chosen(table) : null;
	if (table[key] !== undefined)
		return chosen(table[key]);
	for (const k of Object.keys(table)) {
		const [head, tail] = k.split('*');
		if (tail !== undefined && key.startsWith(head) &&
		    key.endsWith(tail) && key.length >= k.length) {
			const to = chosen(table[k]);
			return to && to.replaceAll('*', key.slice(head.length,
				key.length - tail.length));
		}
	}
	return null;
}

function inPackages(name, from) {
	const [, pkg, rest] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name);
	for (let dir = pathOf.dirname(from); dir.length >= REPO.length - 1;
		dir = pathOf.dirname(dir)) {
		const root = pathOf.join(dir, 'node_modules', pkg);
		const json = readJson(root + '/package.json');
		const to = json && json.exports &&
			inTable(json.exports, '.' + rest);
		if (to)
			return pathOf.join(root, to);
	}
	return null;
}

// Resolve a name by "paths" and "baseUrl" of the nearest tsconfig.json.
function inConfig(name, from) {
	for (const config of ['tsconfig.json', 'jsconfig.json']) {
		const at = upwards(pathOf.dirname(from), config);
		const options = at && (readJson(at) || {}).compilerOptions;
		if (!options)
			continue;
		const base = pathOf.resolve(pathOf.dirname(at),
			options.baseUrl || '.');
		for (const [key, to] of Object.entries(options.paths || {})) {
			const [head, tail] = key.split('*');
			if (tail === undefined ? name !== key :
			    !(name.startsWith(head) && name.endsWith(tail)))
				continue;
			const star = name.slice(head.length,
				name.length - (tail || '').length);
			for (const one of to) {
				const p = asFile(pathOf.resolve(base,
					one.replace('*', star)));
				if (p)
					return p;
			}
		}
		const p = options.baseUrl && asFile(pathOf.resolve(base, name));
		if (p)
			return p;
	}
	return null;
}

function resolve(name, from) {
	if (name.startsWith('node:') || builtinModules.includes(name))
		return name;
	if (name.startsWith('file:'))
		return url.fileURLToPath(name);
	if (/^\.{0,2}\//.test(name) || name === '.' || name === '..') {
		const p = asFile(pathOf.resolve(pathOf.dirname(from), name));
		if (p)
			return p;
	} else if (name[0] === '#') {
		const at = upwards(pathOf.dirname(from), 'package.json');
		const to = at && inTable((readJson(at) || {}).imports || {}, name);
		if (to)
			return /^\.\//.test(to) ?
				pathOf.join(pathOf.dirname(at), to) : resolve(to, from);
	}
	return inPackages(name, from) || inConfig(name, from) ||
		createRequire(from).resolve(name);
}

// -- the graph of modules --------------------------------------------------------------

const graph = new Map();
let importNative = null;

function synthetic(id, values) {
	const keys = Object.keys(values);
	return new vm.SyntheticModule(keys, function () {
		for (const k of keys)
			this.setExport(k, values[k]);
	}, { identifier: id });
}

function ofCommon(file, from) {
	const got = createRequire(from)(file);
	const named = got !== null && /^(object|function)$/.test(typeof got) ?
		Object.fromEntries(Object.keys(got).filter((k) =>
			k !== 'default').map((k) => [k, got[k]])) : {};
	return synthetic(file, { ...named, default: got });
}

function newModule(file, text) {
	return new vm.SourceTextModule(text, { identifier: file,
		initializeImportMeta(meta) {
			meta.url = url.pathToFileURL(file).href;
			meta.filename = file;
			meta.dirname = pathOf.dirname(file);
			meta.resolve = (name) => {
				const to = resolve(name, file);
				return to[0] === '/' ? url.pathToFileURL(to).href : to;
			};
		},
		importModuleDynamically: (name) => importInto(name, file) });
}

async function makeModule(to, from) {
	if (to[0] !== '/' || /\/node_modules\//.test(to)) {
		if (to[0] === '/' && !isModule(to, fs.readFileSync(to, 'utf8')))
			return ofCommon(to, from);
		return synthetic(to, await importNative(to[0] === '/' ?
			url.pathToFileURL(to).href : to));
	}
	if (/\.json$/.test(to))
		return synthetic(to, { default: createRequire(from)(to) });
	if (/\.node$/.test(to))
		return ofCommon(to, from);
	const source = readSource(to);
	return isModule(to, source.text, source.isModule) ?
		newModule(to, source.text) : ofCommon(to, from);
}

function moduleFor(name, from) {
	const to = resolve(name, from);
	if (!graph.has(to))
		graph.set(to, makeModule(to, from));
	return graph.get(to);
}

const linker = (name, parent) => moduleFor(name, parent.identifier);

async function importInto(name, from) {
	const m = await moduleFor(name, from);
	if (m.status === 'unlinked')
		await m.link(linker);
	await m.evaluate();
	return m;
}

for (const ext of ['.ts', '.cts', '.tsx', '.jsx'])
	Module._extensions[ext] = (m, file) =>
		m._compile(readSource(file).text, file);

// -- the flagged module ------------------------------------------------------------------

function note(file, source, whole, goal) {
	flagged.name = file;
	flagged.hash = require('crypto').createHash('sha256').update(whole)
		.digest('hex');
	flagged.back = source.back;
	flagged.span = goal.span;
	flagged.inner = goal.inner;
}

// {exports, hand}.  hand gives the meaning of a name at the module's top level.
async function loadFlagged(file, given, goal, native) {
	importNative = native;
	const source = readSource(file, given);
	const names = goal.locals;
	const known = source.isModule === undefined ? goal.module :
		source.isModule;
	if (!isModule(file, source.text, known)) {
		const whole = source.text + '\n;__cupel({__proto__: null' +
			names.map((n) => `, get ${n}() { return ${n}; }`).join('') +
			'});';
		note(file, source, whole, goal);
		return loadCommon(file, whole);
	}
	const whole = source.text + '\n;export {' + names.map((n) =>
		`${n} as __cupel_${n}`).join(', ') + '};';
	note(file, source, whole, goal);
	const made = newModule(file, whole);
	graph.set(file, made);
	await made.link(linker);
	await made.evaluate();
	const exported = made.namespace;
	return { exports: exported, hand: (n) => names.includes(n) ?
		exported['__cupel_' + n] : exported[n] };
}

function loadCommon(file, whole) {
	const m = new Module(file, null);
	let handed = null;
	m.filename = file;
	m.paths = Module._nodeModulePaths(pathOf.dirname(file));
	Module._cache[file] = m;
	vm.compileFunction(whole, ['exports', 'require', 'module', '__filename',
		'__dirname', '__cupel'], { filename: file,
		importModuleDynamically: (name) => importInto(name, file) })
		.call(m.exports, m.exports, createRequire(file), m, file,
			pathOf.dirname(file), (names) => { handed = names; });
	m.loaded = true;
	return { exports: m.exports, hand: (n) => handed && n in handed ?
		handed[n] : m.exports[n] };
}

// -- closing what this process opened --------------------------------------------------------

// The modules behind --expose-internals and the debugger are for this program
// only.
(() => {
	const closed = (name) =>
		/^(?:node:)?(?:internal\/|inspector)/.test(String(name));
	const refuseIt = (name) => {
		const e = new Error("Cannot find module '" + name + "'");
		e.code = 'MODULE_NOT_FOUND';
		return e;
	};
	try {
		require('inspector').Session.prototype.connect = () => {
			throw refuseIt('inspector');
		};
	} catch (e) {
		// A Node without a debugger has none to close.
	}
	const load = Module._load;
	Module._load = function (name, ...rest) {
		if (closed(name))
			throw refuseIt(name);
		return apply(load, this, [name, ...rest]);
	};
	const builtin = process.getBuiltinModule;
	if (builtin)
		process.getBuiltinModule = (name) =>
			closed(name) ? undefined : apply(builtin, process, [name]);
	const bind = process.binding;
	process.binding = (name) => {
		if (name === 'inspector')
			throw refuseIt(name);
		return apply(bind, process, [name]);
	};
})();

// Remove the globals that `node -e` adds and no program expects.
for (const name of ['module', 'exports', 'require', '__filename', '__dirname',
	...builtinModules])
	if (name !== 'process' && name !== 'console' &&
	    (descriptorOf(globalThis, name) || {}).configurable &&
	    !/^(?:crypto|performance)$/.test(name))
		delete globalThis[name];

module.exports = { loadFlagged };
