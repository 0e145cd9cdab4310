// node_use.mts -- how a caller uses the package: held against its types by
// tsc, never run.  The lines that end with "// wrong" are found by it.
import {
	SandboxClient,
	SandboxError,
	SandboxPolicy,
	SandboxResultV2,
	runTests,
	runTestsV2,
	type Health,
	type Wall,
} from 'cupel'

export async function use(): Promise<string | null> {
	const { rc, output } = await runTests(['test'], 30)
	const policy = new SandboxPolicy({ wall_time_s: 0.5 })
	const result: SandboxResultV2 = await runTestsV2([], policy, { repo: '/r' })
	const wall: Wall | undefined = result.enforced.network
	const health: Health = await new SandboxClient().health()
	try {
		await new SandboxClient({ binary: '/usr/bin/cupel' }).execute(
			{ command: ['true'] }, { timeout_s: 1.5 })
	} catch (e) {
		if (e instanceof SandboxError)
			return e.kind
	}
	return wall && health.ok && rc === 0 ? result.reason : output
}

export async function misuse(): Promise<void> {
	await runTests('test', 30) // wrong
	new SandboxPolicy({ wall_time: 30 }) // wrong
	await new SandboxClient().execute(['true'], { timeout: 3 }) // wrong
	new SandboxPolicy().nofile = 3 // wrong
	const word: string = (await runTestsV2([])).reason // wrong
	new SandboxResultV2() // wrong
	if ((await runTestsV2([])).status === 'GREAT') // wrong
		console(word) // wrong
}
