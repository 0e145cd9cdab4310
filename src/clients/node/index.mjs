// The same for import.
import cupel from './index.cjs'

export const {
	SandboxClient,
	SandboxError,
	SandboxPolicy,
	SandboxResultV2,
	runTests,
	runTestsV2,
} = cupel
