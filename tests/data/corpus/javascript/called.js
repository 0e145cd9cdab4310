// called.js -- functions whose inputs only their calls tell, or that speak of NaN.
function fee(kind, weights) {
	if (kind.split('').reverse().join('') !== 'lecrap')
		return 0;
	return weights[0].heft; // @here fee
}

function feeSafe(kind, weights) {
	if (kind.split('').reverse().join('') !== 'lecrap' || !weights.length)
		return 0;
	return weights[0].heft; // @here feeSafe
}

function row(count) {
	if (count === Infinity || count < 0 || count % 1 !== 0 && count === count)
		return [];
	return new Array(count); // @here row
}

function rowSafe(count) {
	if (count === Infinity || count < 0 || !Number.isInteger(count))
		return [];
	return new Array(count); // @here rowSafe
}

const some = fee('parcel', [{ heft: 2 }]) + feeSafe('parcel', [{ heft: 2 }]);

module.exports = { fee, feeSafe, row, rowSafe, some };
