import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secretOf } from './secret.js'

describe('the secret of a subscription', () => {
  it('is 24 bytes in base64 after whsec_', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), (seed, id) => {
        const secret = secretOf(seed, id)
        expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
        expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(24)
      }),
    )
  })

  it('is the same on every machine', () => {
    expect(secretOf(7, 'whk_all')).toMatchInlineSnapshot(`"whsec_nyiMEjxFuaIZcrPQyGgA136QM/UqozLG"`)
  })

  it('is another for another subscription, and for another seed', () => {
    const secrets = [0, 1, 2, 3].flatMap((seed) =>
      ['whk_a', 'whk_b', 'whk_c'].map((id) => secretOf(seed, id)),
    )
    expect(new Set(secrets).size).toBe(secrets.length)
  })
})
