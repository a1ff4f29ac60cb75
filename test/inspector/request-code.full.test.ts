import { expect, mailboxTest } from 'agent-mailbox-sim/vitest'
import { describe } from 'vitest'
import { parse } from 'yaml'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { expectationOfExchange } from '../../src/inspector/request-code.js'
import { ExpectationChecker } from '../../src/story/expectations/expectation-checker.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'

const scenario = {
  scenario: 'desk',
  identities: [{ handle: 'support', threads: [{ messages: [{ from: 'ann@mail.example', text: 'Hi' }] }] }],
} satisfies ScenarioInput

const test = mailboxTest({ scenario, extend: ['common'] })

/** Sends requests of all kinds: with parameters, bodies, awkward characters, a refused key, and a fault. */
async function sendRequests({ baseUrl, apiKey, faults }: Simulator): Promise<void> {
  const ask = (path: string, init: RequestInit = {}, key = apiKey) =>
    fetch(`${baseUrl}/api/v1/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
  await ask('mail/threads?agent=support&limit=5&limit=6')
  const awkward = ['`$', '{it}`', " \\'s"].join('')
  await ask(`mail/threads?agent=${encodeURIComponent(awkward)}`)
  await ask("identities/%60$%7Bx%7D'")
  const body = JSON.stringify({ display_name: "It's `$" + '{x}` \\ "quoted"\n' })
  await ask('identities/support', { method: 'PATCH', body })
  const mail = { agent: 'support', to: ['ann@mail.example'], subject: 'Re', text: "It's done." }
  await ask('mail/messages', { method: 'POST', body: JSON.stringify(mail) })
  await ask('mail/nothing')
  faults.add({ operation: 'threads.list', status: 503, times: 1, retry_after: '2s' })
  await ask('mail/threads')
}

describe('a recorded request', () => {
  test('is copied as an expectation that it meets, and others do not', async ({ mailbox }) => {
    await sendRequests(mailbox)
    const exchanges = mailbox.journal.exchanges()
    const copied = exchanges.map(expectationOfExchange)
    expect(copied[5], 'one that matches no operation').toBeUndefined()
    const expectations = copied.flatMap((text) => (text === undefined ? [] : parse(text).expect))
    const judged = await createSimulator({
      scenario: { ...scenario, expect: expectations },
      extend: ['common'],
    })
    const resultsOf = (sim: Simulator) => {
      const checker = new ExpectationChecker(sim, { expectations: judged.expectations })
      checker.close()
      return checker.results().map(({ passed }) => passed)
    }
    expect(resultsOf(mailbox)).toEqual(expectations.map(() => true))
    expect(resultsOf(judged)).toEqual(expectations.map(() => false))
  })
})
