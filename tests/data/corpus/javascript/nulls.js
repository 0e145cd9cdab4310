'use strict';
// null and undefined where a value is expected.

function nameOf(users, id) {
	const user = users.find((u) => u.id === id);
	return user.name; // @here nameOf
}

function nameOfSafe(users, id) {
	const user = users.find((u) => u.id === id);
	return user ? user.name : 'nobody'; // @here nameOfSafe
}

function lastPrice(items) {
	return items[items.length - 1].price; // @here lastPrice
}

function lastPriceSafe(items) {
	if (items.length === 0)
		return 0;
	return items[items.length - 1].price; // @here lastPriceSafe
}

function shout(text) {
	return text.trim().toUpperCase() + '!'; // @here shout
}

function shoutSafe(text) {
	if (typeof text !== 'string')
		return '';
	return text.trim().toUpperCase() + '!'; // @here shoutSafe
}

function host(url) {
	return url.match(/^https?:\/\/([^/]+)/)[1].toLowerCase(); // @here host
}

function hostSafe(url) {
	const m = url.match(/^https?:\/\/([^/]+)/);
	return m === null ? '' : m[1].toLowerCase(); // @here hostSafe
}

function city(user) {
	if (user.address)
		console.log(user.address.zip);
	return user.address.city; // @here city
}

function citySafe(user) {
	return user.address?.city ?? 'unknown'; // @here citySafe
}

function retries(options) {
	if (options && options.quiet)
		return 0;
	return options.retries * 2; // @here retries
}

function retriesSafe(options = {}) {
	return (options.retries || 1) * 2; // @here retriesSafe
}

// The division is flagged, what is missing is elsewhere.
function wrongPlace(rows) {
	const first = rows[0].cells;
	return first.length / 2; // @here wrongPlace
}

/**
 * @param {{name: string, tags: string[]}} post
 * @param {string=} wanted
 */
function tagged(post, wanted) {
	return post.tags.filter((t) => t === wanted.trim()); // @here tagged
}

/**
 * @param {{name: string, tags: string[]}} post
 * @param {string} wanted
 */
function taggedSafe(post, wanted) {
	return post.tags.filter((t) => t === wanted.trim()); // @here taggedSafe
}

function total({ lines, discount = {} }) {
	return lines.reduce((sum, l) => sum + l.price, 0) -
		discount.amount.value; // @here total
}

function area({ width = 1, height = 1 } = {}) {
	return width * height; // @here area
}

function firstName(user) {
	return user.name.first; // @here firstName
}

// Who asks whether the user is there means that the name is.
function firstNameOrNull(user) {
	if (!user)
		return null;
	return user.name.first; // @here firstNameOrNull
}

function firstNameOfNamed(user) {
	return user && user.name ? user.name.first : null; // @here firstNameOfNamed
}

module.exports = { firstName, firstNameOrNull, firstNameOfNamed,
	 nameOf, nameOfSafe, lastPrice, lastPriceSafe, shout,
	shoutSafe, host, hostSafe, city, citySafe, retries, retriesSafe,
	wrongPlace, tagged, taggedSafe, total, area };
