// Typed code: what an annotation lets in.
export interface Slot { start: number; end: number; room?: string; owner: Person | null }
export interface Person { name: string; mail?: string; tags: string[] }
type Table = Record<string, Slot[]>;

export function roomOf(slot: Slot): string {
	return slot.room!.trim(); // @here roomOf
}

export function roomSafe(slot: Slot): string {
	return slot.room?.trim() ?? ''; // @here roomSafe
}

export function ownerName(slot: Slot): string {
	return slot.owner!.name; // @here ownerName
}

export function nameOf(person: Person): string {
	return person.name.trim(); // @here nameOf
}

export function firstOf(table: Table, day: string): number {
	return table[day][0].start; // @here firstOf
}

export function firstSafe(table: Table, day: string): number {
	const slots = table[day] ?? [];
	return slots.length > 0 ? slots[0].start : 0; // @here firstSafe
}

export function findSlot(slots: Slot[], at: number): Slot {
	return slots.find((s) => s.start <= at && at < s.end)!;
}

export function ownerAt(slots: Slot[], at: number): Person | null {
	return findSlot(slots, at).owner; // @here ownerAt
}

export function tagOf(person: Person): string {
	return person.tags[0].toUpperCase(); // @here tagOf
}

export function joined(people: Person[]): string {
	return people.map((p) => p.mail!.toLowerCase()).join(); // @here joined
}

export function optionalHour(text?: string): number {
	return Number(text.split(':')[0]); // @here optionalHour
}

export function optionalSafe(text?: string): number {
	return text === undefined ? 0 : Number(text.split(':')[0]); // @here optionalSafe
}

export function share(total: bigint, parts: bigint): bigint {
	return total / parts; // @here share
}

export function shareSafe(total: bigint, parts: bigint): bigint {
	return parts === 0n ? 0n : total / parts; // @here shareSafe
}

export function room(n: number): number[] {
	return new Array<number>(n); // @here room
}

export function pick<T>(items: T[], key: keyof T): string {
	return String(items[0][key]); // @here pick
}

export function count(pair: [Slot, Slot]): number {
	return pair[1].start - pair[0].start; // @here count
}

export function label(kind: 'a' | 'b'): string {
	return { a: 'first', b: 'second' }[kind].trim(); // @here label
}

export class Calendar {
	private slots = new Map<string, Slot>();

	put(day: string, slot: Slot): void {
		this.slots.set(day, slot);
	}

	startOf(day: string): number {
		return this.slots.get(day)!.start; // @here startOf
	}

	startSafe(day: string): number {
		return this.slots.get(day)?.start ?? 0; // @here startSafe
	}
}
