import { describe, expect, it } from 'vitest'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { profileAssumptions } from '../../src/service/assumptions/assumptions.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { Desk, posting } from './desk.js'
import { searchAgent as search, searchClient } from './search-agent.js'

describe('fuzz, in many runs', () => {
  it.each([
    ['takes-the-oldest-for-the-newest', 18],
    ['stops-at-total-of-many', 19],
  ])('removes from a large plan what %s does not need', async (agent, seed) => {
    const { findings } = await search(agent, 60, seed)
    expect(findings.map(({ elements }) => elements.length)).toEqual([2])
  })

  it('drops a finding that a smaller one of the same cause explains', async () => {
    const { findings } = await search('leaves-out-the-last-page', 60, 2)
    const causes = findings.map(({ failure }) => failure.cause)
    expect(causes).toContainEqual(expect.stringContaining('expectation'))
    expect(new Set(causes).size).toBe(causes.length)
  })

  it('tries the same plans for the same seed with the same result', async () => {
    const one = await search('ignores-retry-after', 4, 5)
    const other = await search('ignores-retry-after', 4, 5)
    expect([...one.met.keys(), ...one.missed.keys()]).toEqual([...other.met.keys(), ...other.missed.keys()])
    const foundBy = ({ findings }: typeof one) =>
      findings.map(({ elements, failure }) => [elements, failure.judgedBy, failure.cause])
    expect(foundBy(one)).toEqual(foundBy(other))
  })

  it('finds the same with several jobs, whichever play ends first', async () => {
    const scenario = {
      scenario: 'times',
      identities: [{ handle: 'support', threads: [{ messages: [{ text: 'Hello.' }, { text: 'Hello?' }] }] }],
    } as ScenarioInput
    const otherAssumption = (mailbox: Simulator): string | undefined => {
      const now: Readonly<Record<string, string>> = mailbox.assumptions.current()
      return Object.entries(profileAssumptions('default')).find(
        ([gap, assumption]) => now[gap] !== assumption,
      )?.[0]
    }
    const findings = async (jobs: number) => {
      let disturbed = 0
      let release = (): void => undefined
      const second = new Promise<void>((resolve) => {
        release = resolve
      })
      const strict = async (mailbox: Simulator): Promise<void> => {
        const other = otherAssumption(mailbox)
        const play = other === undefined ? 0 : ++disturbed
        // The first play with another assumption ends after the second one.
        if (jobs > 1 && play === 1) await second
        const desk = new Desk(mailbox)
        for (const id of (await desk.all()).keys()) await desk.messages(id)
        if (play === 2) release()
        if (other !== undefined) throw new Error(`It cannot read ${other}`)
      }
      const result = await searchClient(scenario, strict, 6, 1, ['assumptions'], undefined, jobs)
      return result.findings.map(({ failure, foundAfterRuns }) => [failure.cause, foundAfterRuns])
    }
    const found = await findings(1)
    expect(found.map(([, run]) => run)).toEqual([1, 2])
    expect(await findings(2)).toEqual(found)
  })

  it('takes replies to what a client sends for no mail that may be there from the start', async () => {
    const away = { headers: { 'Auto-Submitted': 'auto-replied' }, subject: 'Automatic reply', text: 'Away.' }
    const scenario = {
      ...{ scenario: 'away', extend: 'common' },
      assumptions: { 'messages.headers': 'object' },
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

  it('takes mail in a thread that a client began for no mail that may be there from the start', async () => {
    const scenario = {
      ...{ scenario: 'operator', extend: 'common' },
      identities: [
        { handle: 'support', threads: [{ subject: 'Hours', messages: [{ text: 'Open today?' }] }] },
      ],
    } as ScenarioInput
    const tells = async (mailbox: Simulator): Promise<void> => {
      const [desk, told] = [new Desk(mailbox), new Set<string>()]
      for (let round = 0; round < 3; round++) {
        for (const [id, { subject }] of await desk.all()) {
          for (const { direction, id: message } of await desk.messages(id)) {
            if (direction !== 'inbound' || told.has(message)) continue
            told.add(message)
            const mail = {
              agent: 'support',
              to: 'boss@mail.example',
              subject: `Mail: ${subject}`,
              text: message,
            }
            await desk.send('/mail/messages', posting(mail))
          }
        }
      }
    }
    const { findings } = await searchClient(scenario, tells, 12, 1, ['mail'])
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
