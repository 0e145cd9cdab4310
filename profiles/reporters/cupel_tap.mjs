// cupel_tap.mjs -- node's own reporter tap; each run of node --test writes to a
// file of its own in CUPEL_REPORT_DIR.
import { mkdirSync, openSync, writeSync } from 'node:fs'
import { tap } from 'node:test/reporters'

const DIR = process.env.CUPEL_REPORT_DIR || ''
// Set while a runner works: what it starts is part of its tests.
const WRITER = 'CUPEL_REPORT_WRITER'

/** @param {any} source */
export default async function* (source) {
  const isOurs = DIR !== '' && !process.env[WRITER]
  let file = -1

  if (isOurs) {
    process.env[WRITER] = String(process.pid)
    mkdirSync(DIR, { recursive: true })
    file = openSync(
      `${DIR}/node-${process.pid}-${process.hrtime.bigint()}.tap`,
      'wx',
    )
  }
  for await (const chunk of tap(source)) if (isOurs) writeSync(file, chunk)
  yield ''
}
