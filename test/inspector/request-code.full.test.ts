import { expect, mailboxTest } from 'agent-mailbox-sim/vitest'
import { describe } from 'vitest'
import { parse } from 'yaml'
import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { expectationOfExchange, testOfExchange } from '../../src/inspector/request-code.js'
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

/** Runs the text of a test in a mailbox. */
async function runTest(text: string, mailbox: Simulator): Promise<void> {
  const AsyncFunction = (async () => {}).constructor as new (
    ...words: string[]
  ) => (...values: unknown[]) => Promise<void>
  const bodies: ((context: { mailbox: Simulator }) => Promise<void>)[] = []
  const collect = (_name: string, body: (typeof bodies)[number]) => bodies.push(body)
  const code = text.replace(/^import .*$/m, '')
  await new AsyncFunction('expect', 'mailboxTest', code)(expect, () => collect)
  expect(bodies).toHaveLength(1)
  await bodies[0]?.({ mailbox })
}

describe('a recorded request', () => {
  test('is copied as a test that passes in a mailbox of its own, and fails in another', async ({
    mailbox,
  }) => {
    mailbox.assumptions.set({ 'threads.total': 'page-size' })
    const start = mailbox.fork()
    await sendRequests(mailbox)
    const exchanges = mailbox.journal.exchanges()
    expect(exchanges.map(({ status }) => status)).toEqual([200, 200, 404, 200, 201, 404, 503])
    for (const exchange of exchanges) {
      const own = start.fork()
      await runTest(testOfExchange(exchange, 'desk', { 'threads.total': 'page-size' }), own)
      expect(own.journal.exchanges()[0], exchange.path).toMatchObject({
        path: exchange.path,
        query: exchange.query,
        request: { body: exchange.request.body },
      })
      const other = { ...exchange, status: 418 }
      await expect(runTest(testOfExchange(other, 'desk', {}), start.fork())).rejects.toThrow('418')
    }
  })

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
