import { describe, expect, it } from 'vitest'
import common from '../../extensions/common.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { FuzzedScenario } from '../../src/runs/fuzz/fuzzed-scenario.js'
import { prepareJudging } from '../../src/runs/fuzz/preparation.js'
import { Desk, posting } from './desk.js'
import { functionClient } from './function-client.js'
import { searchAgent as search, searchClient } from './search-agent.js'
import { sendingDesk } from './sending-agents.js'

describe('fuzz', () => {
  it('finds and shrinks a story in which a client retries too early', async () => {
    const { findings } = await search('ignores-retry-after', 15, 1, ['faults'])
    expect(findings).toHaveLength(1)
    expect(findings[0]?.elements).toMatchObject([{ vary: 'faults', fault: { retry_after: 1 } }])
    expect(findings[0]?.failure.judgedBy).toBe('backs-off')
  })

  it('finds nothing for the correct twin', async () => {
    const { findings, flaky, runs } = await search('ignores-retry-after, careful', 8)
    expect({ findings, flaky, runs }).toEqual({ findings: [], flaky: [], runs: 8 })
  })

  it('learns nothing from a client that breaks before the story disturbs it', async () => {
    let starts = 0
    const { findings, flaky, vacuousRuns } = await search(
      'ignores-retry-after, careful',
      12,
      1,
      undefined,
      (play) => {
        return async (mailbox) => {
          if (++starts > 8) throw new Error('out of memory')
          await play(mailbox)
        }
      },
    )
    expect({ findings, flaky }).toEqual({ findings: [], flaky: [] })
    expect(vacuousRuns).toBeGreaterThan(3)
  })

  it('tries a service that begins a thread with another subject', async () => {
    const { extend: _, timeline: __, webhooks: ___, ...desk } = sendingDesk
    const takesForGranted = async (mailbox: Simulator) => {
      const agent = new Desk(mailbox)
      for (const thread_id of (await agent.all()).keys()) {
        const mail = {
          agent: 'support',
          to: 'ann@example.com',
          thread_id,
          subject: 'Your ticket',
          text: thread_id,
        }
        await agent.send('/mail/messages', posting(mail, thread_id))
        if ((await agent.newest(thread_id))?.direction !== 'outbound')
          throw new Error('My mail is not there.')
      }
    }
    const { findings } = await searchClient({ ...desk, extend: 'common' }, takesForGranted, 12, 1, [
      'assumptions',
    ])
    const gaps = findings.flatMap(({ elements }) => elements.flatMap((one) => ('gap' in one ? one.gap : [])))
    expect(gaps).toContain('threads.new-subject')
  })

  it.each([
    ['object', true],
    ['omitted', false],
  ])('judges answers to automatic mail if messages show their header: %s', async (assumption, isJudged) => {
    const { extend: _, ...desk } = sendingDesk
    const scenario = await FuzzedScenario.load({
      ...desk,
      assume: { 'messages.headers': assumption as never },
    })
    const client = functionClient((mailbox) => new Desk(mailbox).get('/identities/support'))
    const { facts } = await prepareJudging(scenario, client, undefined, [])
    expect(facts?.invariants.has('ignores-automatic-mail')).toBe(isJudged)
  })

  it('demands an answer to whoever was answered, but not to thanks that were let be', async () => {
    const { extend: _, timeline: __, ...desk } = sendingDesk
    const thanks = { in_reply_to: 'sent', text: 'Thank you.' } as const
    const story = {
      ...desk,
      timeline: [{ when: { sent: { to: 'bo@example.com' } }, receive: thanks }],
    } as typeof sendingDesk
    const client = functionClient(async (mailbox) => {
      const agent = new Desk(mailbox)
      for (const name of ['ann', 'bo']) {
        const [thread] = [...(await agent.all()).values()].filter(({ subject }) => subject.endsWith(name))
        const asked = await agent.newest(thread?.id ?? '')
        await agent.send(`/mail/messages/${asked?.id}/reply`, posting({ text: 'It is on its way.' }))
      }
    })
    const scenario = await FuzzedScenario.load(story, { extend: [common] })
    const { facts } = await prepareJudging(scenario, client, undefined, [])
    expect(facts?.answered).toEqual(['ann@example.com'])
  })

  it('knows a client that sends equal mail for several causes', async () => {
    const { extend: _, assume: __, ...desk } = sendingDesk
    const scenario = await FuzzedScenario.load(desk, { extend: [common] })
    const preparedWith = async (threads: number) => {
      const notice = { agent: 'support', to: 'boss@example.com', text: 'A new thread.' }
      const client = functionClient(async (mailbox) => {
        for (let n = 0; n < threads; n++) await new Desk(mailbox).send('/mail/messages', posting(notice))
      })
      return (await prepareJudging(scenario, client, undefined, [])).base.repeatedMail
    }
    expect([await preparedWith(1), await preparedWith(2)]).toEqual([false, true])
  })
})
