// The same for import.
import cupel from './index.cjs'

export const {
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
} = cupel
