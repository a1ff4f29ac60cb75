import { getResponse } from 'msw'
import { expect, it } from 'vitest'
import type { Simulator } from '../../doors/simulator/simulator.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import type { Story } from '../../story/overlays/story.js'
import { play } from '../play.js'
import { reportOf } from '../replay/replay.js'
import { type MinimizeOptions, minimize } from './minimize.js'
import { minimizeReport } from './minimize-report.js'

/** A story of twenty entries and two assumptions, one of them of an extension's gap; at some place, mail comes that agents stumble over. */
function storyWith(planted: number, expected: NonNullable<ScenarioInput['expect']>): ScenarioInput {
  return {
    scenario: 'twenty',
    assume: { 'threads.total': 'page-size', 'common.idempotency': 'replayed' },
    extend: 'common',
    identities: [{ handle: 'support', threads: [] }],
    timeline: Array.from({ length: 20 }, (_, index) => {
      const [from, subject] =
        index === planted
          ? ['Eve <eve@odd.example>', 'Odd']
          : [`Bo <bo${index}@mail.example>`, `Mail ${index}`]
      return { after: `${index + 1}m`, receive: { to: 'support', from, subject, text: '{{lorem.words(3)}}' } }
    }),
    expect: expected,
  }
}

async function ask(mailbox: Simulator, path: string, body?: object) {
  const headers = { authorization: `Bearer ${mailbox.apiKey}`, 'content-type': 'application/json' }
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const request = new Request(new URL(`/api/v1${path}`, mailbox.baseUrl), { headers, ...init })
  return (await getResponse([...mailbox.handlers], request))?.json()
}

/** Plays stories to an agent that answers Bo's third mail, unless it has seen odd mail. */
function playing(stumble: (mailbox: Simulator) => Promise<void>): NonNullable<MinimizeOptions['playStory']> {
  return async (story: Story) => {
    const act = async (mailbox: Simulator): Promise<void> => {
      await mailbox.clock.advance('25m')
      const { threads } = await ask(mailbox, '/mail/threads?agent=support&limit=100')
      const of = (subject: string) => threads.find((one: { subject: string }) => one.subject === subject)
      if (of('Odd')) return stumble(mailbox)
      const { messages } = of('Mail 3')
        ? await ask(mailbox, `/mail/messages?thread_id=${of('Mail 3').id}`)
        : { messages: [] }
      if (messages[0]) await ask(mailbox, `/mail/messages/${messages[0].id}/reply`, { text: 'Hello' })
    }
    const played = await play(story, { act })
    const report = reportOf(played)
    await played.close()
    return report
  }
}

const answered = { sent: { to: 'bo3@mail.example' }, times: 1 }

it.each([0, 4, 13, 19])(
  'names the one entry of twenty without which an agent passes: the one at %i',
  async (planted) => {
    const stumbles = playing(async () => {
      throw new Error('What is this?')
    })
    const scenario = storyWith(planted, [answered])
    const { result, whole } = await minimize({ scenario, playStory: stumbles })
    expect(result.decisive).toEqual([{ is: 'entry', name: `${planted + 1}m receive` }])
    expect(result.plays_until_named).toBeLessThanOrEqual(15)
    // A crash needs nothing else.
    expect(result.needed).toEqual(result.decisive)
    expect(result).toMatchObject({ of: { length: 22 }, confirmed: true, reason: { expectation: null } })
    expect(result.story).toContain('subject: Odd')
    expect(minimizeReport({ result, whole }).headline).toBe(
      `twenty fails with 1 of 22 parts; it does not without the entry "${planted + 1}m receive"`,
    )
  },
)

it('keeps what an agent must answer in the smallest story, where it silently leaves that out', async () => {
  const scenario = storyWith(13, [answered])
  const { result } = await minimize({ scenario, playStory: playing(async () => undefined) })
  expect(result.decisive).toEqual([{ is: 'entry', name: '14m receive' }])
  expect(result.needed.map(({ name }) => name)).toEqual(['4m receive', '14m receive'])
  expect(result.plays_until_named).toBeLessThanOrEqual(15)
  expect(result.confirmed).toBe(true)
})
