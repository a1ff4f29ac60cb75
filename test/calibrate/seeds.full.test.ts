import { expect, it } from 'vitest'
import type { Need } from '../../src/contract/gaps/gap.js'
import { gapIds, gaps } from '../../src/contract/gaps.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import type { Fetch } from '../../src/live/calibrate/service-client.js'
import { mailboxOf, seedsToTry } from './instance.js'
import { judge } from './judge.js'

const news = { to: 'support', from: 'Ann <ann@example.com>', subject: 'News', text: 'Some news.' }

const learnedBy = (need: Need) => gapIds.filter((gap) => gaps[gap].learnedBy === need)

it('learns nine tenths of what reads reveal under any assumptions', { timeout: 600_000 }, async () => {
  for (let seed = 0; seed < seedsToTry(2); seed++) {
    const { learned, wrong, isUnchanged, calibration } = await judge(mailboxOf(260), `seed:${seed}`)
    expect(wrong, `seed:${seed}`).toEqual([])
    expect(isUnchanged, `seed:${seed}`).toBe(true)
    expect(learned.length, `seed:${seed}`).toBeGreaterThanOrEqual(learnedBy('reads').length * 0.9)
    expect(calibration.probed.length).toBeLessThan(60)
  }
})

const shipped = ['multi-agent', 'pagination-edges', 'refund-request', 'world-mail', 'bounce-storm', 'empty']

it('claims nothing false about small mailboxes', { timeout: 600_000 }, async () => {
  for (const scenario of shipped) {
    for (let seed = -1; seed < seedsToTry(1); seed++) {
      const assumptions = seed < 0 ? 'worst-case' : `seed:${seed}`
      const { learned, wrong, isUnchanged } = await judge(scenario, assumptions, { apiKey: 'test-key' })
      expect(wrong, `${scenario}, ${assumptions}`).toEqual([])
      expect(isUnchanged, `${scenario}, ${assumptions}`).toBe(true)
      expect(learned, `${scenario}, ${assumptions}`).toContain('errors.body')
    }
  }
})

it('learns everything that updates and a burst reveal', { timeout: 600_000 }, async () => {
  const all = [...learnedBy('writes'), ...learnedBy('burst')]
  for (let seed = 0; seed < seedsToTry(2); seed++) {
    const { learned, wrong, identity } = await judge(mailboxOf(40), `seed:${seed}`, {
      needs: ['reads', 'writes', 'burst'],
      agent: '@support',
    })
    expect(wrong, `seed:${seed}`).toEqual([])
    expect(learned, `seed:${seed}`).toEqual(expect.arrayContaining(all))
    expect(identity()).toEqual({ display_name: 'Support', description: 'Answers customers' })
  }
})

it('claims nothing false if mail arrives meanwhile', async () => {
  let asked = 0
  const arriving = (fetch: Fetch, simulator: Simulator): Fetch => {
    return async (request) => {
      if (++asked === 20) {
        await simulator.mail.receive(news)
      }
      return fetch(request)
    }
  }
  const { wrong, learned } = await judge(mailboxOf(40), 'seed:4', { proxy: arriving })
  expect(wrong).toEqual([])
  expect(learned.length).toBeGreaterThan(33)
  expect(asked).toBeLessThan(90)
})

it('claims nothing false if mail arrives before its last steps', async () => {
  const { wrong, learned } = await judge(
    mailboxOf(130),
    { 'threads.limit-out-of-range': 'default' },
    {
      needs: ['reads', 'writes'],
      agent: 'support',
      proxy: (fetch, simulator) => async (request) => {
        if (request.method === 'PATCH') await simulator.mail.receive(news)
        return fetch(request)
      },
    },
  )
  expect(wrong).toEqual([])
  expect(learned).toContain('threads.unread-after-read')
})
