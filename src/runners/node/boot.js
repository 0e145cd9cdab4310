// boot.js -- the loader: it loads modules from the one text of a program.
//
// A program is this file, then its modules, each after a line "//#module NAME",
// then the parser after "//#parser".  The first module is run; the others are
// required from it, and from each other, as "./NAME.js".  They are not modules
// of Node, whose cache does not know them, so code under test can neither load
// nor replace one.
//
// This file is the body of a function of (require, importAny, text).
'use strict';

const vm = require('vm');
const end = text.indexOf('\n//#parser\n');
const texts = new Map();
const made = new Map();
for (const part of text.slice(0, end).split('\n//#module ').slice(1)) {
	const line = part.indexOf('\n');
	texts.set('./' + part.slice(0, line) + '.js', part.slice(line + 1));
}

function load(name) {
	const module = { exports: {} };
	made.set(name, module);
	vm.compileFunction(texts.get(name), ['module', 'exports', 'require'],
		{ filename: 'cupel-runner' })(module, module.exports, find);
	return module.exports;
}

function find(name) {
	if (made.has(name))
		return made.get(name).exports;
	return texts.has(name) ? load(name) : require(name);
}

made.set('./host.js', { exports: { importAny,
	parserText: text.slice(end + '\n//#parser\n'.length) } });
load(texts.keys().next().value);
