'use strict';

const capital = (word) => word[0].toUpperCase() + word.slice(1); // @here capital

const capitalSafe = (word) => word.charAt(0).toUpperCase() + word.slice(1); // @here capitalSafe

function titleCase(text) {
	return text.split(' ').map((w) => w[0].toUpperCase() + w.slice(1)).join(' '); // @here titleCase
}

/** @param {string} text */
function titleSafe(text) {
	return text.split(' ').filter(Boolean)
		.map((w) => w[0].toUpperCase() + w.slice(1)).join(' '); // @here titleSafe
}

function domain(mail) {
	return mail.split('@')[1].toLowerCase(); // @here domain
}

function extension(name) {
	return name.match(/\.(\w+)$/)[1]; // @here extension
}

function extensionSafe(name) {
	const m = name.match(/\.(\w+)$/);
	return m ? m[1] : ''; // @here extensionSafe
}

function pad(text, width) {
	return new Array(width - text.length).join(' ') + text; // @here pad
}

function padSafe(text, width) {
	return new Array(Math.max(0, width - text.length) % 1000).join(' ') + text; // @here padSafe
}

function repeatLine(sign, count) {
	return sign.repeat(count - 1); // @here repeatLine
}

function query(url) {
	const out = {};
	for (const pair of url.split('?')[1].split('&')) { // @here query
		const [k, v] = pair.split('=');
		out[k] = v;
	}
	return out;
}

function valueOf(line) {
	const [, value] = line.split(':');
	return value.trim(); // @here valueOf
}

function valueSafe(line) {
	const [, value = ''] = line.split(':');
	return value.trim(); // @here valueSafe
}

function lookUp(template, values) {
	return template.replace(/\{(\w+)\}/g, (_, name) => values[name].toString()); // @here lookUp
}

function longest(words) {
	let best;
	for (const w of words)
		if (!best || w.length > best.length)
			best = w;
	return best.length; // @here longest
}

function hexByte(text) {
	return text.match(/../g).map((h) => parseInt(h, 16)); // @here hexByte
}

function decode(text) {
	return decodeURIComponent(text).length; // @here decode
}

module.exports = { capital, capitalSafe, titleCase, titleSafe, domain,
	extension, extensionSafe, pad, padSafe, repeatLine, query, valueOf,
	valueSafe, lookUp, longest, hexByte, decode };
