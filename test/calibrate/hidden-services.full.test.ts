import { expect, it } from 'vitest'
import { mailboxOf } from './instance.js'
import { judge } from './judge.js'

/** How many hidden services of each mailbox there are; `npm run check:calibrate` tries more. */
const seeds = Number(process.env['CALIBRATE_SEEDS'] ?? 2)

const mailboxes = [24, 40, 120, 260].map((threads) => [threads, mailboxOf(threads)] as const)

it.each(mailboxes)('learns 37 gaps of a service with %i threads by at most 60 reads', async (_, mailbox) => {
  for (let seed = 1; seed <= seeds; seed++) {
    const { wrong, learned, calibration, isUnchanged } = await judge(mailbox, `seed:${seed}`)
    expect(wrong, `seed:${seed}`).toEqual([])
    expect(learned.length, `seed:${seed}`).toBeGreaterThanOrEqual(37)
    expect(calibration.requests, `seed:${seed}`).toBeLessThanOrEqual(60)
    expect(isUnchanged, `seed:${seed}`).toBe(true)
  }
})

const shipped = [
  'support-desk',
  'multi-agent',
  'refund-request',
  'prompt-injection',
  'world-mail',
  'bounce-storm',
  'empty',
]

it.each(shipped)('claims nothing false about %s', async (scenario) => {
  for (const assumptions of [
    'default',
    'worst-case',
    ...Array.from({ length: seeds }, (_, seed) => `seed:${seed}`),
  ]) {
    const { wrong, learned, isUnchanged } = await judge(scenario, assumptions, { apiKey: 'test-key' })
    expect(wrong, assumptions).toEqual([])
    expect(learned, assumptions).toContain('errors.body')
    expect(isUnchanged, assumptions).toBe(true)
  }
})
