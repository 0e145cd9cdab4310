import { describe, expect, it, test } from 'vitest'

test('adds', () => expect(1 + 1).toBe(2))
test.skip('skipped', () => { throw new Error('is not run') })
describe('group', () => {
  it('inner', () => expect(true).toBe(true))
})
