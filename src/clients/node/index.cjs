'use strict'
// Run code that nobody has reason to trust in a cupel vessel.
//
// Must:     speak only the spec and result JSON of the program cupel
// Must not: use a shell, believe an answer before it is checked, need more
//           than Node
const { SandboxClient } = require('./lib/client.cjs')
const { ConfirmRecord, confirm } = require('./lib/confirm.cjs')
const { SandboxError } = require('./lib/error.cjs')
const { GateResult, runGate } = require('./lib/gate.cjs')
const { SandboxResultV2 } = require('./lib/result.cjs')
const { SandboxPolicy, runTests, runTestsV2 } = require('./lib/tests.cjs')

module.exports = {
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
}
