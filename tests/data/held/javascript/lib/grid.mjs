// Boards and matrices.
export function cell(grid, x, y) {
	return grid[y][x]; // @here cell
}

/**
 * @param {number[][]} grid
 * @param {number} x
 * @param {number} y
 */
export function cellSafe(grid, x, y) {
	return grid[y]?.[x]; // @here cellSafe
}

export function width(grid) {
	return grid[0].length; // @here width
}

export function widthSafe(grid) {
	return grid.length ? grid[0].length : 0; // @here widthSafe
}

export function multiply(a, b) {
	return a.map((row) => b[0].map((_, j) => // @here multiply
		row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
}

export function make(rows, columns) {
	return new Array(rows).fill(0).map(() => new Array(columns).fill(0)); // @here make
}

export function makeSafe(rows, columns) {
	return Array.from({ length: 3 }, () => [rows, columns]); // @here makeSafe
}

export function neighbours(grid, x, y) {
	const out = [];
	for (const [dx, dy] of [[0, 1], [1, 0], [0, -1], [-1, 0]])
		out.push(grid[y + dy][x + dx]); // @here neighbours
	return out;
}

export function bigShare(total, parts) {
	return BigInt(total) / BigInt(parts); // @here bigShare
}

export function column(rows, name) {
	return rows.map((r) => r[rows[0].indexOf(name)].trim()); // @here column
}

export const winner = (board) =>
	board.find((row) => row.every((c) => c === row[0]))[0]; // @here winner

/** @param {string[][]} board */
export const winnerSafe = (board) =>
	board.find((row) => row.every((c) => c === row[0]))?.[0]; // @here winnerSafe
