'use strict'
// The one exception of the package.

const KINDS = ['caller', 'host', 'busy', 'bug']

class SandboxError extends Error {
	constructor(message, kind) {
		if (!KINDS.includes(kind))
			throw new TypeError(`expected kind to be one of ${KINDS.join(', ')}`)
		super(message)
		this.name = 'SandboxError'
		this.kind = kind
	}
}

module.exports = { SandboxError }
