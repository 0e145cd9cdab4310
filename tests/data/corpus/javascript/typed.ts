import type { Missing } from './nowhere';
import { OnlyAType } from './lib/types';
import { scale } from './lib/scale.js';

enum Level { Low = 1, High = 10 }

type Id = string | number;

interface User {
	id: Id;
	name: string;
	email?: string;
	manager: User | null;
	tags: readonly string[];
}

export interface Query<T> { find(id: Id): T | undefined }

export function domain(user: User): string {
	return user.email!.split('@')[1]; // @here domain
}

export function domainSafe(user: User): string {
	return user.email?.split('@')[1] ?? ''; // @here domainSafe
}

export function greet(user: User): string {
	return `Hello ${user.name.toUpperCase()}`; // @here greet
}

export function boss(user: User): string {
	return user.manager!.name; // @here boss
}

export function lookUp(query: Query<User>, id: Id): string {
	return (query.find(id) as User).name; // @here lookUp
}

export function levelName(level: Level, names: Record<string, string>): string {
	return names[Level[level]].trim(); // @here levelName
}

export function firstTag(user: User, map: Map<string, { n: number }>): number {
	return map.get(user.tags[0])!.n; // @here firstTag
}

export function scaled(value: number, by?: { factor: number }): number {
	return scale(value, by.factor); // @here scaled
}

export class Account {
	constructor(private readonly owner: User, public balance: number = 0) {}

	label(suffix: string | null): string {
		return this.owner.name + suffix.trim(); // @here label
	}

	labelSafe(suffix: string | null): string {
		return this.owner.name + (suffix ?? '').trim(); // @here labelSafe
	}

	protected audit<T extends object>(entry: T): string {
		return Object.keys(entry)[0].toUpperCase(); // @here audit
	}
}

export function union(value: string | string[]): number {
	if (Array.isArray(value))
		return value[0].length; // @here union
	return value.length;
}

export function unused(x: Missing, y: OnlyAType): number {
	return 1;
}
