// node_use.mts -- how a caller uses the package: held against its types by
// tsc, never run.  The lines that end with "// wrong" are found by it.
import {
	ConfirmRecord,
	GateResult,
	SandboxClient,
	SandboxError,
	SandboxPolicy,
	SandboxResultV2,
	confirm,
	runGate,
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
	const gate: GateResult = await runGate('node-validate', '/w', {
		baseline: 'b.json', catalogues: ['c.yaml'], resume: true })
	const failing: string | undefined = gate.attempts[0].failing_signals[0]
	if (gate.outcome === 'escalate' && failing)
		return gate.attempts[0].signals[0].kind
	const records: readonly ConfirmRecord[] = await confirm(
		[{ file: 'm.py', line: 2, flag_class: 'div-zero' }], '/r', { jobs: 2 })
	if (records[0].confirmed)
		return records[0].traceback_head
	for await (const a of new SandboxClient().executeMany([{ command: ['x'] }],
		{ jobs: 2, ordered: true }))
		if (a.error === null && a.result.ok)
			return a.result.status
	return wall && health.ok && rc === 0 ? result.reason : output
}

export async function misuse(): Promise<void> {
	await runTests('test', 30) // wrong
	new SandboxPolicy({ wall_time: 30 }) // wrong
	await new SandboxClient().execute(['true'], { timeout: 3 }) // wrong
	new SandboxPolicy().nofile = 3 // wrong
	const word: string = (await runTestsV2([])).reason // wrong
	await runGate() // wrong
	await runGate('g', '.', { catalogues: 'c.yaml' }) // wrong
	if ((await runGate('g')).outcome === 'OK') // wrong
		console(word) // wrong
	new GateResult() // wrong
	await confirm([{ file: 'm.py' }]) // wrong
	await confirm([], '.', { runtimes: '/opt' }) // wrong
	new ConfirmRecord() // wrong
	for await (const a of new SandboxClient().executeMany({})) // wrong
		console(a.index) // wrong
	for await (const a of new SandboxClient().executeMany([]))
		word.concat(a.result.status) // wrong
	new SandboxResultV2() // wrong
	if ((await runTestsV2([])).status === 'GREAT') // wrong
		console(word) // wrong
}
