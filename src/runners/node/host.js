// host.js -- what boot.js got from whoever started the program.
'use strict';

module.exports = {
	importAny: (name) => import(name), // as Node's own modules do
	parserText: '', // the JavaScript parser; empty: this build has none
};
