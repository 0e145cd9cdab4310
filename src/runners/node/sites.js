// sites.js -- finds calls of the flagged function in the other files of its
// repository, for their literal arguments.
//
// The repository is read, never run.  Everything is bounded, and the same tree
// gives the same calls, because folders and files are visited in a fixed order.
'use strict';

const { childrenOf, keyName } = require('./tree.js');

const fs = require('fs');

const ENTRIES_MAX = 4000; // in the folders that are read
const READ_MAX = 8 << 20; // bytes of other files
const FILE_MAX = 128 << 10; // of one file
const PARSED_MAX = 256 << 10; // of the files that contain the name
const FILES_MAX = 8; // that contain the name
const SCRIPT = /\.([cm]?[jt]s|[jt]sx)$/;
const DECLARES = /\.d\.[cm]?ts$/;
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'coverage']);

// The files of a tree except one, level by level, without following links.
function* others(root, own) {
	const folders = [''];
	let left = ENTRIES_MAX;
	while (folders.length > 0 && left > 0) {
		const folder = folders.shift();
		let entries = [];
		try {
			entries = fs.readdirSync(root + '/' + folder,
				{ withFileTypes: true });
		} catch {
			continue;
		}
		entries = entries.slice(0, left);
		left -= entries.length;
		entries.sort((a, b) => (a.name < b.name ? -1 : 1));
		for (const e of entries) {
			const at = folder + e.name;
			if (e.isDirectory() && !SKIPPED.has(e.name) &&
			    !e.name.startsWith('.'))
				folders.push(at + '/');
			else if (e.isFile() && SCRIPT.test(e.name) &&
				 !DECLARES.test(e.name) && at !== own)
				yield at;
		}
	}
}

function readFile(path) {
	const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
	let fd = -1;
	try {
		fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
		const bytes = Buffer.alloc(FILE_MAX + 1);
		return bytes.toString('utf8', 0, fs.readSync(fd, bytes));
	} catch {
		return '';
	} finally {
		if (fd >= 0)
			fs.closeSync(fd);
	}
}

// [name, text] of the files that contain that word.
function* texts(root, own, word) {
	let read = 0, parsed = 0, files = 0;
	for (const name of others(root, own)) {
		const text = readFile(root + '/' + name);
		read += text.length;
		if (text.length <= FILE_MAX && text.includes(word) &&
		    parsed + text.length <= PARSED_MAX) {
			parsed += text.length;
			files++;
			yield [name, text];
		}
		if (read > READ_MAX || files >= FILES_MAX)
			return;
	}
}

const stemOf = (name) => name.split('/').pop().replace(SCRIPT, '');

// What a file imports from a module with the name of the flagged file: the
// file's own names for the exports, and for the module.
function importsOf(program, stem) {
	const names = new Map(), modules = new Set();
	const pattern = (id) => {
		if (id.type === 'Identifier')
			modules.add(id.name);
		for (const p of id.type === 'ObjectPattern' ? id.properties : [])
			if (p.type === 'ObjectProperty' && p.value.type === 'Identifier')
				names.set(p.value.name, keyName(p));
	};
	const isIt = (node) => node && node.type === 'StringLiteral' &&
		stemOf(node.value) === stem;
	const walk = (node) => {
		if (node.type === 'ImportDeclaration' && isIt(node.source))
			for (const s of node.specifiers)
				if (s.type === 'ImportSpecifier')
					names.set(s.local.name, s.imported.name ||
						s.imported.value);
				else
					modules.add(s.local.name);
		if (node.type === 'VariableDeclarator' && node.init) {
			const call = node.init.type === 'AwaitExpression' ?
				node.init.argument : node.init;
			if (/^(CallExpression|ImportExpression)$/.test(call.type) &&
			    isIt((call.arguments || [call.source])[0]))
				pattern(node.id);
		}
		childrenOf(node).forEach(walk);
	};
	walk(program);
	return { names, modules };
}

// The test for a call in another file: by a name that is imported from the
// module, or as a member of it.  A method is accepted where its class or the
// module is imported.
function isCallThere(def, { names, modules }) {
	const word = def.name.split('.').pop();
	const top = def.name.split('.')[0];
	const isMethod = Boolean(def.owner);
	const isKnown = modules.size > 0 || [...names.values()].includes(top);
	return (callee, member) => {
		if (isMethod)
			return isKnown && member === word;
		if (callee.type === 'Identifier')
			return names.get(callee.name) === word ||
				modules.has(callee.name) && callee.name === word;
		return member === word && callee.object.type === 'Identifier' &&
			modules.has(callee.object.name);
	};
}

// The calls in the other files.  `parse(text, name)` reads each file, and
// `callsIn(program, isIts)` finds the calls.
function callsElsewhere(request, def, parse, callsIn, most) {
	const out = [], word = def.name.split('.').pop();
	if (!request.repo || !request.file)
		return out;
	for (const [name, text] of texts(request.repo, request.file, word)) {
		let program;
		try {
			program = parse(text, name).program;
		} catch {
			continue;
		}
		const known = importsOf(program, stemOf(request.file));
		out.push(...callsIn(program, isCallThere(def, known)));
		if (out.length >= most)
			break;
	}
	return out.slice(0, most);
}

module.exports = { callsElsewhere };
