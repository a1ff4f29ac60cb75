import { expect, it } from 'vitest'
import type { ScenarioInput } from '../format/scenario.js'
import { loadScenario } from '../load.js'
import { writtenWith } from './written.js'

const desk: ScenarioInput = {
  scenario: 'desk',
  identities: [
    {
      handle: 'support',
      threads: [{ key: 'refund', messages: [{ from: 'Ann <ann@shop.example>', text: 'Where is it?' }] }],
      generate: { threads: 3, messages: 1 },
    },
  ],
  timeline: [
    { after: '1s', receive: { thread: 'refund', text: '{{lorem.words(3)}}' } },
    { key: 'begun', after: '3s', receive: { to: 'support', thread: 'order', subject: 'Order', text: 'Hi' } },
  ],
  expect: [{ request: 'threads.list', after: 'begun', at_least: 1 }],
}

const mailboxes = { support: 4 }

it('lays over a story what its scenario would say with it', async () => {
  const overlay = {
    mailboxes,
    moved: { '1s receive': { like: 'begun' } },
    entries: [
      {
        key: 'more',
        after: '4s' as const,
        receive: { thread: 'order', text: 'More for {{person.fullName}}' },
      },
      // Named after the entry of the story at the same time.
      { after: '1s' as const, receive: { thread: 'refund', text: 'Any news?' } },
    ],
    expect: [{ sent: 'none' as const }],
  }
  const laid = await (await loadScenario(desk)).lay(overlay)
  const written = await loadScenario(writtenWith(desk, overlay))
  for (const part of ['timeline', 'triggered', 'expectations', 'assumptions'] as const) {
    expect(laid[part], part).toEqual(written[part])
  }
  expect(laid.base.database.count('thread')).toBe(8)
  expect(laid.fingerprint()).toBe(written.fingerprint())
})

it('lays everything again over another seed, in several steps as well', async () => {
  const entries = [
    { key: 'more', after: '2s' as const, receive: { thread: 'refund', text: '{{lorem.words(3)}}' } },
  ]
  const further = [{ key: 'bounced', after: '9s' as const, read: { thread: 'refund' } }]
  const story = await loadScenario(desk)
  const steps = await (await (await story.lay({ mailboxes })).lay({ entries })).lay({ entries: further })
  const reseeded = await steps.lay({ seed: 5 })
  const expected = writtenWith({ ...desk, seed: 5 }, { mailboxes, entries: [...entries, ...further] })
  expect(reseeded.timeline).toEqual((await loadScenario(expected)).timeline)
  expect(reseeded.fingerprint()).toBe((await loadScenario(expected)).fingerprint())
  expect(story.timeline).toHaveLength(2)
})

it('refuses a part that refers to nothing in the story, at its place', async () => {
  const story = await loadScenario(desk)
  const origin = (path: readonly PropertyKey[]) => ['plan', ...path] as (string | number)[]
  const laying = story.lay({ entries: [{ after: '1s', read: { thread: 'ordr' } }], origin })
  await expect(laying).rejects.toMatchObject({ problems: [{ key: 'plan.timeline[0].read.thread' }] })
})
