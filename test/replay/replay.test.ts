import { getResponse } from 'msw'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { loadStory } from '../../src/runs/load-story.js'
import { play } from '../../src/runs/play.js'
import type { ReplayReport } from '../../src/runs/replay/outcome.js'
import { replayAndKeep, reportOf } from '../../src/runs/replay/replay.js'
import { replayReport } from '../../src/runs/replay/report.js'
import { formatReport } from '../../src/runs/reports/format-report.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { readAgain, story } from './story.js'

/** What an agent in this process does with the service. */
type Act = (ask: Ask, mailbox: Simulator) => Promise<unknown>

interface Answer {
  readonly threads: readonly { readonly id: string; readonly unread: boolean }[]
  readonly messages: readonly [{ readonly id: string }]
}

/** Sends a request, and returns its status and content. @throws TypeError if its response is lost */
type Ask = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: Answer }>

function askAt(mailbox: Simulator): Ask {
  return async (method, path, body, more) => {
    const headers = {
      authorization: `Bearer ${mailbox.apiKey}`,
      'content-type': 'application/json',
      ...more,
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const url = new URL(`/api/v1${path}`, mailbox.baseUrl)
    const response = await getResponse([...mailbox.handlers], new Request(url, init))
    if (!response || response.type === 'error') throw new TypeError('fetch failed')
    return { status: response.status, body: await response.json() }
  }
}

/** Plays a story to an agent in this process and returns the report, which has the documented format. */
async function report(scenario: ScenarioInput | string, act: Act, beside?: Simulator): Promise<ReplayReport> {
  const agent = { beside, act: (mailbox: Simulator) => act(askAt(mailbox), mailbox) }
  const played = await play(await loadStory({ scenario }), agent)
  await played.close()
  return reportOf(played)
}

const diligent: Act = async (ask) => {
  const { body } = await ask('GET', '/mail/threads?agent=support')
  for (const { id, unread } of body.threads) if (unread) await ask('GET', `/mail/messages?thread_id=${id}`)
  await ask('PATCH', '/identities/support', { display_name: 'Busy' })
}

describe('a story played to an agent', () => {
  it('continues to its end after the agent has ended', async () => {
    const told = await report(story({ expect: [readAgain] }), diligent)
    expect(told.verdicts).toMatchObject([{ passed: false, found: 'unread: true' }])
    expect(told.timeline).toMatchObject({ played: [{ name: 'again' }], left: 0 })
    expect(told.ended_at).toBe('2026-01-05T09:00:40.000Z')
  })

  it('may be advanced by it, also beyond its end', async () => {
    const told = await report(story({ expect: [readAgain] }), async (ask, mailbox) => {
      await mailbox.clock.advance('15s')
      await diligent(ask, mailbox)
      await mailbox.clock.advance('1h')
    })
    expect(told).toMatchObject({ passed: true, clock: 'frozen', ended_at: '2026-01-05T10:00:15.000Z' })
  })

  it('fails if an entry cannot be played', async () => {
    const told = await report(
      story({ expect: [] }),
      async (_, { identities }) => void identities.delete('support'),
    )
    expect(told).toMatchObject({
      passed: false,
      timeline: { played: [{ name: 'again', problem: expect.stringMatching(/no identity/) }] },
    })
  })

  it.each<[string, Act]>([
    ['does its work', diligent],
    ['fails', () => Promise.reject(new Error('no idea'))],
  ])('gives the same report twice apart from wall time, of an agent that %s', async (_, act) => {
    const [one, other] = [await report('refund-request', act), await report('refund-request', act)]
    expect({ ...other, wall_ms: 0 }).toEqual({ ...one, wall_ms: 0 })
  })

  it('has the digest of its end that the control API shows', async () => {
    const { report, server } = await replayAndKeep({ scenario: story(), clock: 'frozen' })
    onTestFinished(() => server.close())
    const { digest } = await (await fetch(`${server.controlUrl}/world?digest=true`)).json()
    expect(report.digest).toBe(digest)
  })
})

it('agents that send mail for ever are stopped, and fail the replay with a sentence that names them', async () => {
  const identities = [{ handle: 'support' }, { handle: 'sales' }]
  const scenario = story({ identities, timeline: [], expect: [], extend: 'common' })
  const endless: Act = async (ask) => {
    const first = { agent: 'support', to: 'sales@agents.example', text: 'Hello' }
    let { status } = await ask('POST', '/mail/messages', first)
    while (status === 201) {
      const { threads } = (await ask('GET', '/mail/threads')).body
      for (const { id, unread } of threads) {
        if (!unread) continue
        const { messages } = (await ask('GET', `/mail/messages?limit=1&thread_id=${id}`)).body
        status = (await ask('POST', `/mail/messages/${messages[0].id}/reply`, { text: 'Thank you' })).status
      }
    }
  }
  const limited = await createSimulator({ scenario: 'empty', maxSent: 7 })
  onTestFinished(() => limited.close())
  const told = await report(scenario, endless, limited)
  const sentence =
    'The agents have sent 7 messages, the most that a story allows (--max-sent, maxSent): "support" and "sales" reply to each other.'
  expect(told).toMatchObject({ passed: false, runaway: sentence, command: { passed: true } })
  const shown = formatReport('human', replayReport(told))
  expect(shown).toContain('question failed: too many messages')
  expect(shown.match(/^✗ The.*$/m)?.[0]).toBe(`✗ ${sentence}`)
})

it.each([
  ['without a key', {}, 'the same message sent again to ann@shop.example', undefined],
  ['with its key', { 'idempotency-key': 'report' }, 'no violation', ['messages.send']],
] as const)(
  'a request repeated %s after its answer was lost sends mail twice, or once',
  async (_, key, found, relying) => {
    const scenario = story({
      extend: 'common',
      assume: { 'common.idempotency': 'replayed' },
      timeline: [
        {
          when: { request: 'messages.send' },
          fault: { operation: 'messages.send', performed: true, reset: true, times: 1 },
        },
      ],
      expect: [{ invariant: 'acts-once' }],
    })
    const mail = { agent: 'support', to: 'ann@shop.example', subject: 'Today', text: 'All done.' }
    const { passed, verdicts, reliances } = await report(scenario, async (ask) => {
      const send = () => ask('POST', '/mail/messages', mail, key)
      await send().catch(send)
    })
    expect({ passed, found: verdicts.map((verdict) => verdict.found) }).toEqual({
      passed: relying !== undefined,
      found: [found],
    })
    const relied = reliances.find(({ gap }) => gap === 'common.idempotency')
    expect(relied?.operations).toEqual(relying)
  },
)
