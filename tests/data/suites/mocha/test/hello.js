const assert = require('node:assert')
const fs = require('node:fs')

describe('hello', () => {
  it('adds', () => assert.equal(1 + 1, 2))
  it('writes beside itself', () => fs.writeFileSync('written', 'x'))
  it.skip('is for later', () => {})
})
