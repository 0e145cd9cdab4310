// node_lib.mjs -- what the suites of the Node package share.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'

export const SRC = process.env.SRC
export const CUPEL = path.join(process.env.BUILD, 'cupel')
export const PACKAGE = path.join(SRC, 'src/clients/node')
export const cupel = await import(
	pathToFileURL(path.join(PACKAGE, 'index.mjs')))
const home = process.cwd()
const env = { ...process.env }

// A case with a repository of its own, which is the current directory.
export function scene(name, body) {
	test(name, async () => {
		const work = fs.mkdtempSync(path.join(os.tmpdir(), 'cupel-node.'))
		const s = new Scene(work)
		process.chdir(s.repo)
		process.env.CUPEL = CUPEL
		try {
			await body(s)
		} finally {
			process.chdir(home)
			for (const key of Object.keys(process.env))
				delete process.env[key]
			Object.assign(process.env, env)
			fs.rmSync(work, { recursive: true, force: true })
		}
	})
}

class Scene {
	constructor(work) {
		this.work = work
		this.repo = path.join(work, 'repo')
		fs.mkdirSync(this.repo)
		fs.chmodSync(work, 0o755)
	}

	put(name, text) {
		const file = path.join(this.repo, name)
		fs.mkdirSync(path.dirname(file), { recursive: true })
		fs.writeFileSync(file, text)
		return file
	}

	// A program of Node's in place of cupel.
	program(text) {
		const file = path.join(this.work, 'stand-in')
		fs.writeFileSync(file, `#!${process.execPath}\n` +
			`const fs = require('fs'); const args = process.argv\n${text}`)
		fs.chmodSync(file, 0o755)
		process.env.CUPEL = file
	}

	// promise is rejected with a SandboxError of kind, word in its message.
	async refused(promise, kind, word = '') {
		const e = await promise.then(
			() => assert.fail('it was not refused'), (e) => e)
		assert.ok(e instanceof cupel.SandboxError, e)
		assert.equal(e.kind, kind, e.message)
		assert.ok(e.message.includes(word), e.message)
		assert.ok(e.message.length < 1000)
	}
}

// Processes that have the word among their arguments.
export function running(word) {
	return fs.readdirSync('/proc').filter((pid) => /^\d+$/.test(pid))
		.filter((pid) => {
			try {
				return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf-8')
					.split('\0').includes(word)
			} catch {
				return false
			}
		})
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

// Wait until holds() or, after 20 s, fail.
export async function until(holds, what) {
	for (let i = 0; !holds(); i++) {
		assert.ok(i < 1000, what)
		await sleep(20)
	}
}
