import { describe, expect, it, onTestFinished } from 'vitest'
import type { PlayOptions } from '../../src/runs/agent/options.js'
import type { ReplayReport } from '../../src/runs/replay/outcome.js'
import { loadStory, replayAndKeep, reportOf } from '../../src/runs/replay/replay.js'
import { replayReport } from '../../src/runs/replay/report.js'
import { formatReport } from '../../src/runs/reports/format-report.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { type Ask, playTo } from './play-to.js'
import { readAgain, story } from './story.js'

type Act = (ask: Ask) => Promise<unknown>

/** Plays a story to an agent of a test and returns the report, which has the documented format. */
async function report(scenario: ScenarioInput, act: Act, options?: PlayOptions): Promise<ReplayReport> {
  const played = await playTo(await loadStory({ scenario }), act, options)
  await played.close()
  return reportOf(played)
}

const diligent: Act = async (ask) => {
  const { body } = await ask('GET', '/api/v1/mail/threads?agent=support')
  for (const { id, unread } of body.threads)
    if (unread) await ask('GET', `/api/v1/mail/messages?thread_id=${id}`)
  await ask('PATCH', '/api/v1/identities/support', { display_name: 'Busy' })
}

describe('a story played to an agent', () => {
  it('continues to its end after the agent has ended', async () => {
    const told = await report(story({ expect: [readAgain] }), diligent)
    expect(told.verdicts).toMatchObject([{ passed: false, found: 'unread: true' }])
    expect(told.timeline).toMatchObject({ played: [{ name: 'again' }], left: 0 })
    expect(told.ended_at).toBe('2026-01-05T09:00:40.000Z')
  })

  it('may be advanced by it, also beyond its end', async () => {
    const told = await report(story({ expect: [readAgain] }), async (ask) => {
      await ask('POST', '/_sim/clock', { advance: '15s' })
      await diligent(ask)
      await ask('POST', '/_sim/clock', { advance: '1h' })
    })
    expect(told).toMatchObject({ passed: true, clock: 'frozen', ended_at: '2026-01-05T10:00:15.000Z' })
  })

  it('fails if an entry cannot be played', async () => {
    const told = await report(story({ expect: [] }), (ask) => ask('DELETE', '/_sim/identities/support'))
    expect(told).toMatchObject({
      passed: false,
      timeline: { played: [{ name: 'again', problem: expect.stringMatching(/no identity/) }] },
    })
  })

  it('gives the same report twice apart from wall time', async () => {
    const [one, other] = [await report(story(), diligent), await report(story(), diligent)]
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
    let { status } = await ask('POST', '/api/v1/mail/messages', first)
    while (status === 201) {
      const { threads } = (await ask('GET', '/api/v1/mail/threads')).body
      for (const { id, unread } of threads) {
        if (!unread) continue
        const { messages } = (await ask('GET', `/api/v1/mail/messages?limit=1&thread_id=${id}`)).body
        status = (await ask('POST', `/api/v1/mail/messages/${messages[0].id}/reply`, { text: 'Thank you' }))
          .status
      }
    }
  }
  const told = await report(scenario, endless, { maxSent: 7 })
  const sentence =
    'The agents have sent 7 messages, the most that a story allows (--max-sent, maxSent): "support" sent 4 of them, "sales" sent 3 of them.'
  expect(told).toMatchObject({ passed: false, runaway: sentence })
  const shown = formatReport('human', replayReport(told))
  expect(shown).toContain('question failed: too many messages')
  expect(shown.match(/^✗ The.*$/m)?.[0]).toBe(`✗ ${sentence}`)
})
