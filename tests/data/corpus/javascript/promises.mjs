// Promises that nobody waits for.

async function save(row) {
	if (!row.id)
		throw new Error('no id');
	return row.id;
}

export function store(rows) {
	for (const row of rows)
		save(row); // @here store
	return rows.length;
}

export async function storeSafe(rows) {
	for (const row of rows)
		await save(row).catch(() => null); // @here storeSafe
	return rows.length;
}

export function fire(send, text) {
	send(text).then((r) => r.ok); // @here fire
}

export async function fireSafe(send, text) {
	try {
		return (await send(text)).ok; // @here fireSafe
	} catch {
		return false;
	}
}

// Its own promise is rejected, and its caller waits for that.
export async function passesOn(row) {
	return await save(row); // @here passesOn
}

export async function all(rows) {
	Promise.all(rows.map((r) => save(r))); // @here all
	return rows.length;
}

export async function later(rows) {
	const last = await Promise.resolve(rows[rows.length - 1]);
	return last.id; // @here later
}
