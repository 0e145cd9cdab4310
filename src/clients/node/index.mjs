// The same for import.
import cupel from './index.cjs'

export const {
	GateResult,
	SandboxClient,
	SandboxError,
	SandboxPolicy,
	SandboxResultV2,
	runGate,
	runTests,
	runTestsV2,
} = cupel
