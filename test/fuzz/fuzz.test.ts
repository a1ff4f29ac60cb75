import { describe, expect, it } from 'vitest'
import common from '../../extensions/common.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { FuzzedScenario } from '../../src/runs/fuzz/fuzzed-scenario.js'
import { prepareJudging } from '../../src/runs/fuzz/preparation.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { Desk, posting } from './desk.js'
import { functionClient } from './function-client.js'
import { searchAgent as search, searchClient } from './search-agent.js'
import { sendingDesk } from './sending-agents.js'

describe('fuzz', () => {
  it('finds and shrinks a story in which a client retries too early', async () => {
    const { findings } = await search('ignores-retry-after', 15, 1, ['faults'])
    expect(findings).toHaveLength(1)
    expect(findings[0]?.elements).toMatchObject([{ vary: 'faults', fault: { retry_after: 1 } }])
    expect(findings[0]?.failure.judgedBy).toBe('obeys-retry-after')
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

  it('tries the same plans for the same seed with the same result', async () => {
    const one = await search('ignores-retry-after', 4, 5)
    const other = await search('ignores-retry-after', 4, 5)
    expect([...one.met.keys(), ...one.missed.keys()]).toEqual([...other.met.keys(), ...other.missed.keys()])
    const foundBy = ({ findings }: typeof one) =>
      findings.map(({ elements, failure }) => [elements, failure.judgedBy, failure.cause])
    expect(foundBy(one)).toEqual(foundBy(other))
  })

  it.each([
    ['object', true],
    ['omitted', false],
  ])('judges answers to automatic mail if messages show their header: %s', async (reading, isJudged) => {
    const { extend: _, ...desk } = sendingDesk
    const scenario = await FuzzedScenario.load({
      ...desk,
      readings: { 'messages.headers': reading as never },
    })
    const client = functionClient((mailbox) => new Desk(mailbox).get('/identities/support'))
    const { facts } = await prepareJudging(scenario, client, undefined, [])
    expect(facts?.invariants.has('answers-no-automatic-mail')).toBe(isJudged)
  })

  it('knows a client that sends equal mail for several causes', async () => {
    const { extend: _, readings: __, ...desk } = sendingDesk
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

  it('takes replies to what a client sends for no mail that may be there from the start', async () => {
    const away = { headers: { 'Auto-Submitted': 'auto-replied' }, subject: 'Automatic reply', text: 'Away.' }
    const scenario = {
      ...{ scenario: 'away', extend: 'common' },
      readings: { 'messages.headers': 'object' },
      identities: [{ handle: 'support', threads: [{ key: 'ticket', messages: [{ text: 'It works.' }] }] }],
      timeline: [1, 2, 3].map(() => ({ when: { sent: {} }, receive: { in_reply_to: 'sent', ...away } })),
    } as ScenarioInput
    const closes = async (mailbox: Simulator): Promise<void> => {
      const [desk, closed] = [new Desk(mailbox), new Set<string>()]
      for (let round = 0; round < 3; round++) {
        for (const id of (await desk.all()).keys()) {
          const messages = await desk.messages(id)
          const last = messages.filter((one) => !/auto-replied/.test(JSON.stringify(one.headers))).at(-1)
          if (last?.direction !== 'inbound' || closed.has(last.id)) continue
          closed.add(last.id)
          const sent = { agent: 'support', to: 'ann@mail.example', thread_id: id, text: `Closed ${last.id}.` }
          await desk.send('/mail/messages', posting(sent))
        }
      }
    }
    const { findings } = await searchClient(scenario, closes, 8, 1, ['mail'])
    expect(findings.map(({ failure }) => failure.why)).toEqual([])
  })

  it('finds once what a client cannot read, and not again what follows from it', async () => {
    const scenario = {
      ...{ scenario: 'price', extend: 'common' },
      identities: [
        {
          handle: 'support',
          threads: ['ann', 'bo'].map((name) => {
            return { messages: [{ from: `${name}@mail.example`, text: 'What does it cost?' }] }
          }),
        },
      ],
      expect: [{ sent: { to: 'ann@mail.example' } }, { sent: { to: 'bo@mail.example' } }],
    } as ScenarioInput
    const blind = async (mailbox: Simulator): Promise<void> => {
      const desk = new Desk(mailbox)
      for (const id of (await desk.all()).keys()) {
        const asked = (await desk.messages(id)).filter(({ text }) => /cost/.test(text ?? ''))
        const [first] = asked
        if (first)
          await desk.send(`/mail/messages/${first.id}/reply`, posting({ text: `Ten for ${first.id}.` }))
      }
    }
    const { findings } = await searchClient(scenario, blind, 8, 1, ['forms', 'mail', 'sizes'])
    expect(findings.map(({ elements }) => elements.map(({ vary }) => vary))).toEqual([['forms']])
  })
})
