// host.js -- what boot.js was given by whoever started the program.
'use strict';

module.exports = {
	importAny: (name) => import(name), // as a module of the interpreter's does
	parserText: '', // the parser of JavaScript; empty: this build has none
};
