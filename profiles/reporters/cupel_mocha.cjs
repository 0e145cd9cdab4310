// cupel_mocha.cjs -- mocha's reporter spec, which also writes the outcome of each
// test, as TAP, to the file that cupel_report.cjs chose.
'use strict'

const fs = require('node:fs')
const path = require('node:path')

const main = path.dirname(fs.realpathSync(process.argv[1]))
const lib = main.slice(0, main.lastIndexOf('/mocha/')) + '/mocha/lib'
const reporter = require(path.join(lib, 'reporters', 'spec.js'))
// In mocha 12 it is a module with named exports.
const Spec = reporter.Spec || reporter

// A line of a stack trace, with the place in the test.
const PLACE = /^\s+at (?:.*\()?((?!node:).+?:\d+:\d+)\)?$/

/** @param {{ fullTitle: () => string }} test */
function title(test) {
  return test.fullTitle().replace(/[\r\n]+/g, ' ').replace(/[#\\]/g, '\\$&')
}

/** The lines of TAP's diagnostics for a failure.
 * @param {any} test @param {any} error */
function told(test, error) {
  const text = String(error?.message ?? error)
  const message = text.split(/[\r\n]+/).find((x) => x.trim() !== '')
  const places = String(error?.stack ?? '')
    .split('\n')
    .filter((x) => !x.includes('/node_modules/'))
    .map((x) => PLACE.exec(x)?.[1])
  const at = places.find((x) => x) ?? (test.file ? `${test.file}:1:1` : '')
  const lines = ['  ---', `  duration_ms: ${test.duration ?? 0}`]

  if (message) lines.push('  message: |-', `    ${message}`)
  if (at) lines.push(`  at: ${at}`)
  return [...lines, '  ...']
}

module.exports = class extends Spec {
  /** @param {any} runner @param {any} options */
  constructor(runner, options) {
    /** @type {string[]} */
    const lines = []
    let tests = 0
    /** @param {string[]} more */
    const add = (...more) => {
      tests++
      lines.push(...more)
    }
    super(runner, options)
    runner.on('pass', (test) => add(`ok - ${title(test)}`))
    runner.on('fail', (test, error) =>
      add(`not ok - ${title(test)}`, ...told(test, error)),
    )
    runner.on('pending', (test) => add(`ok - ${title(test)} # SKIP`))
    runner.once('end', () => {
      const text = ['TAP version 13', `1..${tests}`, ...lines, '']
      fs.writeFileSync(process.env.CUPEL_REPORT_FILE || '', text.join('\n'))
    })
  }
}
