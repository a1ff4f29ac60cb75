import { createSimulator, type Fault, type Simulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { expect, test as mailboxTest } from 'agent-mailbox-sim/vitest'
import { setupServer } from 'msw/node'
import { describe, it, onTestFinished } from 'vitest'
import type { FaultInput } from '../src/service/faults/fault.js'

const scenario = {
  scenario: 'desk',
  identities: [{ handle: 'support', threads: [{ messages: [{ at: '-1h', text: 'Hello' }] }] }],
}

const entries: Record<string, () => Promise<Simulator>> = {
  'listen()': async () => {
    const mailbox = await listen({ scenario })
    onTestFinished(() => mailbox.close())
    return mailbox
  },
  'a setupServer of the handlers': async () => {
    const simulator = await createSimulator({ scenario })
    const server = setupServer(...simulator.handlers)
    server.listen()
    onTestFinished(() => server.close())
    return simulator
  },
}

const disturbed: Record<string, Fault> = {
  'nothing disturbs': { delay: '1ms' },
  'a fault replaces': { status: 503, retry_after: '1s' },
  'a fault empties': { empty: true },
  'drips for hours': { drip: '10h' },
  'breaks off': { truncate: 20 },
}

function ask({ baseUrl, apiKey }: Simulator, path = '/api/v1/mail/threads'): Promise<Response> {
  return fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
}

/** Asks again after a 503, whose body it discards, as SDKs do to free the connection. */
async function askUntilAnswered(mailbox: Simulator): Promise<Response> {
  const response = await ask(mailbox)
  if (response.status !== 503) return response
  await response.body?.cancel()
  return askUntilAnswered(mailbox)
}

describe.each(Object.entries(entries))('through %s', (_, open) => {
  it('a client that discards the body of a 503 gets on', async () => {
    const mailbox = await open()
    mailbox.faults.add({ operation: 'threads.list', status: 503, times: 2 })
    expect(await (await askUntilAnswered(mailbox)).json()).toMatchObject({ total: 1 })
    expect(mailbox.journal.exchanges().map(({ status }) => status)).toEqual([503, 503, 200])
  })

  it.each(Object.entries(disturbed))('a body that %s can be cancelled', async (_name, fault) => {
    const mailbox = await open()
    mailbox.faults.add(fault as FaultInput)
    const answers = [await ask(mailbox), await ask(mailbox, '/api/v1/unknown'), await ask(mailbox)]
    const clone = answers[2]?.clone()
    for (const { body } of answers) expect(await body?.cancel('not needed')).toBeUndefined()
    expect(await clone?.body?.cancel()).toBeUndefined()
  })

  it('every clone of an answer has all of it, whatever became of the others', async () => {
    const response = await ask(await open())
    const clones = [response.clone(), response.clone(), response.clone()] as const
    await response.body?.cancel()
    const reader = clones[0].body?.getReader({ mode: 'byob' })
    const part = await reader?.read(new Uint8Array(9))
    expect(new TextDecoder().decode(part?.value)).toBe('{"threads')
    await reader?.cancel()
    const text = await clones[1].text()
    expect(JSON.parse(text)).toMatchObject({ total: 1 })
    const [first, second] = clones[2].body?.tee() ?? []
    expect(await new Response(first).text()).toBe(text)
    expect(await new Response(second).text()).toBe(text)
    expect(clones[2].body?.locked).toBe(true)
  })
})

it('listeners of MSW read the whole of a body that the client cancels', async () => {
  const mailbox = await listen({ scenario })
  onTestFinished(() => mailbox.close())
  const read: Promise<string>[] = []
  mailbox.server.events.on('response:mocked', ({ response }) => void read.push(response.text()))
  await (await ask(mailbox)).body?.cancel()
  const text = await (await ask(mailbox)).text()
  expect(await Promise.all(read)).toEqual([text, text])
})

mailboxTest('through a test of the Vitest entry the same holds', async ({ mailbox }) => {
  mailbox.faults.add({ operation: 'threads.list', status: 503, times: 1 })
  expect((await askUntilAnswered(mailbox)).status).toBe(200)
})
