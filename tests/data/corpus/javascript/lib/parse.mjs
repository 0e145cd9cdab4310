export const defaults = { strict: false };

export function parse(text) {
	return text.split(';').filter((t) => t).map((t) => ({ key: t, value: 1 }));
}
