const { test, describe, it } = require('node:test')
const assert = require('node:assert')

test('adds', () => assert.strictEqual(1 + 1, 2))
test.skip('skipped', () => assert.fail())
describe('group', () => {
  it('inner', () => assert.ok(true))
})
