// cupel_mocha.cjs -- mocha's reporter spec, which also writes what came of each
// test, as TAP, to the file that cupel_report.cjs chose.
'use strict'

const fs = require('node:fs')
const path = require('node:path')

const main = path.dirname(fs.realpathSync(process.argv[1]))
const lib = main.slice(0, main.lastIndexOf('/mocha/')) + '/mocha/lib'
const reporter = require(path.join(lib, 'reporters', 'spec.js'))
// mocha 12's is a module with names.
const Spec = reporter.Spec || reporter

/** @param {{ fullTitle: () => string }} test */
function title(test) {
  return test.fullTitle().replace(/[\r\n]+/g, ' ').replace(/[#\\]/g, '\\$&')
}

module.exports = class extends Spec {
  /** @param {any} runner @param {any} options */
  constructor(runner, options) {
    /** @type {string[]} */
    const lines = []
    super(runner, options)
    runner.on('pass', (test) => lines.push(`ok - ${title(test)}`))
    runner.on('fail', (test) => lines.push(`not ok - ${title(test)}`))
    runner.on('pending', (test) => lines.push(`ok - ${title(test)} # SKIP`))
    runner.once('end', () => {
      const text = ['TAP version 13', `1..${lines.length}`, ...lines, '']
      fs.writeFileSync(process.env.CUPEL_REPORT_FILE || '', text.join('\n'))
    })
  }
}
