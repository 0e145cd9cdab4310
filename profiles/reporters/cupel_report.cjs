// cupel_report.cjs -- loaded before each program that node runs: if the program is
// a test runner that it knows, it adds the arguments that make the runner write its
// report to a file of its own in CUPEL_REPORT_DIR.  So `npm test` needs no more
// arguments, and two runners of one run do not overwrite each other.  cupel shows
// this file inside, as /etc/cupel/cupel_report.cjs; what runs inside can change or
// ignore it.
'use strict'

const fs = require('node:fs')
const path = require('node:path')

const DIR = process.env.CUPEL_REPORT_DIR || ''
// Set while a runner works: what it starts is part of its tests.
const WRITER = 'CUPEL_REPORT_WRITER'

// wants: the runner that the profile is for, unless it is for any.  program: the
// end of the path of its main file.  none: arguments with which it runs no test.
const RUNNERS = [
  {
    wants: 'jest',
    program: /\/(jest|jest-cli)\/bin\/jest(\.js)?$/,
    none: /^--(version|help|init|listTests|showConfig|clearCache)$/,
    file: 'json',
    add: (args, file) => ['--json', `--outputFile=${file}`],
  },
  {
    wants: 'vitest',
    program: /\/vitest\/(vitest|dist\/cli(-wrapper)?)\.(mjs|js)$/,
    none: /^(--version|-v|--help|-h|init|list|bench)$/,
    file: 'xml',
    add: (args, file) => [
      ...(args.some((a) => /^--reporters?(=|$)/.test(a))
        ? []
        : ['--reporter=default']),
      '--reporter=junit',
      `--outputFile.junit=${file}`,
    ],
  },
  {
    wants: 'mocha',
    program: /\/mocha\/bin\/_?mocha(\.c?js)?$/,
    none: /^(--version|-V|--help|-h|init|--list-\w+|--watch|-w)$/,
    file: 'tap',
    add: (args, file) => {
      process.env.CUPEL_REPORT_FILE = file
      return ['--reporter', path.join(__dirname, 'cupel_mocha.cjs')]
    },
  },
]

/** A new, empty file that no other writer has; a runner that is killed leaves it
 * empty, and cupel says that this report was begun and not ended.
 * @param {string} suffix of the file */
function place(suffix) {
  fs.mkdirSync(DIR, { recursive: true })
  const name = `node-${process.pid}-${process.hrtime.bigint()}.${suffix}`
  const file = path.join(DIR, name)
  fs.closeSync(fs.openSync(file, 'wx'))
  return file
}

/** The report file that the command line names, or null.
 * @param {string[]} args */
function asked(args) {
  for (let i = 0; i < args.length; i++) {
    const m = /^--outputFile(?:\.junit)?(?:=(.*))?$/.exec(args[i])
    if (m) return path.resolve(m[1] ?? args[i + 1] ?? '')
  }
  return null
}

/** Take a copy of the report that the command line asked for.  A runner that ends
 * with 0 and without a report ran no tests.
 * @param {string | null} from @param {string} to */
function endAtExit(from, to) {
  process.on('exit', (code) => {
    try {
      if (from !== null && fs.existsSync(from)) fs.copyFileSync(from, to)
      if (code === 0 && fs.statSync(to).size === 0) fs.unlinkSync(to)
    } catch {
      // there is no report, and cupel will say so
    }
  })
}

function begin() {
  const main = process.argv[1] ? fs.realpathSync(process.argv[1]) : ''
  const args = process.argv.slice(2)
  const runner = RUNNERS.find(
    (r) =>
      [r.wants, 'any'].includes(process.env.CUPEL_REPORT ?? '') &&
      r.program.test(main),
  )
  if (!DIR || !runner || process.env[WRITER]) return
  if (args.some((a) => runner.none.test(a))) return
  const file = place(runner.file)
  const own = asked(args)
  const end = args.indexOf('--')
  process.env[WRITER] = String(process.pid)
  endAtExit(own, file)
  if (own === null)
    process.argv.splice(
      2 + (end < 0 ? args.length : end),
      0,
      ...runner.add(args, file),
    )
}

try {
  begin()
} catch {
  // the run goes on without a report
}
