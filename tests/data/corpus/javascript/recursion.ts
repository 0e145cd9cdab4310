// Without an end, in TypeScript.

interface Tree {
	value: number;
	left?: Tree;
	right?: Tree;
}

export function factorial(n: number): number {
	return n === 0 ? 1 : n * factorial(n - 1); // @here factorial
}

export function factorialSafe(n: number): number {
	return n <= 0 ? 1 : n * factorialSafe(n - 1); // @here factorialSafe
}

export function depth(tree: Tree | undefined): number {
	if (!tree)
		return 0;
	return 1 + Math.max(depth(tree.left), depth(tree.right)); // @here depth
}

export const halve = (text: string): string[] =>
	text.length === 1 ? [text] : [
		...halve(text.slice(0, text.length >> 1)), // @here halve
		...halve(text.slice(text.length >> 1))];

export const halveSafe = (text: string): string[] =>
	text.length <= 1 ? [text] : [
		...halveSafe(text.slice(0, text.length >> 1)), // @here halveSafe
		...halveSafe(text.slice(text.length >> 1))];

export function isEven(n: number): boolean {
	return n === 0 ? true : isOdd(n - 1); // @here isEven
}

function isOdd(n: number): boolean {
	return n === 0 ? false : isEven(n - 1); // @here isOdd
}
