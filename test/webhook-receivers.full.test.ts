import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSimulator, gaps } from 'agent-mailbox-sim'
import { startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bodyOf, deliver, seconds, signatures } from './examples/deliveries-by-hand.js'
import { languagesHere, pythonsOnPath } from './examples/languages.js'
import { type ReceiverProcess, startReceiver } from './examples/receiver-process.js'

const languages = languagesHere()
const token = 'hook-secret-7'
const secret = `whsec_${Buffer.from('twenty-four bytes, or so').toString('base64')}`

/** Returns the events that the receiver handled before a last event. */
async function handledBy({ url, nextLine }: ReceiverProcess, headers = {}): Promise<string[]> {
  expect(await deliver(url, bodyOf({ type: 'message.received', messageId: 'msg_last' }), headers)).toBe(200)
  const lines: string[] = []
  for (;;) {
    const line = await nextLine()
    if (line.includes('msg_last')) return lines
    lines.push(line)
  }
}

describe.each(languages)('the receiver in $name', (language) => {
  it('handles each event of a message once', async () => {
    const receiver = await startReceiver(language)
    for (const type of ['message.received', 'message.received', 'message.delivered', 'message.received']) {
      expect(await deliver(receiver.url, bodyOf({ type, messageId: 'msg_1' }))).toBe(200)
    }
    expect(await handledBy(receiver)).toEqual(['message.received: msg_1', 'message.delivered: msg_1'])
  })

  it('refuses a wrong token, a wrong signature and an old signature', async () => {
    const receiver = await startReceiver(language, { WEBHOOK_TOKEN: token, WEBHOOK_SECRET: secret })
    const body = bodyOf({ type: 'message.received', messageId: 'msg_1' })
    const other = bodyOf({ type: 'message.received', messageId: 'msg_2' })
    const signed = Object.entries(signatures).filter(([name]) => name !== 'none')
    const refused = [
      { Authorization: 'Bearer wrong' },
      { 'X-Auth-Token': 'wrong' },
      { 'X-Auth-Token': `${token}7` },
      ...signed.flatMap(([, sign]) => [
        sign(other, { secret }),
        sign(body, { secret: 'whsec_b3RoZXI=' }),
        sign(body, { secret, at: seconds() - 3600 }),
        sign(body, { secret, at: seconds() + 3600 }),
        Object.fromEntries(Object.keys(sign(body, { secret })).map((name) => [name, 'garbage'])),
      ]),
    ]
    for (const headers of refused) expect(await deliver(receiver.url, body, headers)).toBe(401)
    expect(await handledBy(receiver)).toEqual([])
  })

  it('refuses a missing token or signature', async () => {
    const required = { WEBHOOK_TOKEN: token, WEBHOOK_SECRET: secret, WEBHOOK_REQUIRE: 'token,signature' }
    const receiver = await startReceiver(language, required)
    const body = bodyOf({ type: 'message.received', messageId: 'msg_last' })
    const both = { 'X-Auth-Token': token, ...signatures['standard-webhooks']?.(body, { secret }) }
    expect(await deliver(receiver.url, body)).toBe(401)
    expect(await deliver(receiver.url, body, { 'X-Auth-Token': token })).toBe(401)
    expect(await deliver(receiver.url, body, { ...both, 'X-Auth-Token': '' })).toBe(401)
    expect(await handledBy(receiver, both)).toEqual([])
  })

  it('refuses other bodies than events', async () => {
    const receiver = await startReceiver(language)
    for (const body of ['', 'no JSON', 'null', '[]', '{}', '{"event":"message.received","data":{}}']) {
      expect(await deliver(receiver.url, body)).toBe(400)
    }
    expect(
      await deliver(`${receiver.url}/other`, bodyOf({ type: 'message.received', messageId: 'msg_1' })),
    ).toBe(404)
    expect(await statusOfLength(receiver.url, 2_000_000)).toBe(413)
    expect(await handledBy(receiver)).toEqual([])
  })

  it('answers before it handles the event', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const asked = once(silent, 'request')
    const { url } = await startReceiver(language, { MAILBOX_BASE_URL: `http://127.0.0.1:${port}` })
    expect(await deliver(url, bodyOf({ type: 'message.received', messageId: 'msg_1' }))).toBe(200)
    await asked
    expect(await deliver(url, bodyOf({ type: 'message.received', messageId: 'msg_2' }))).toBe(200)
  })

  it('reads the message of an event from the service', async () => {
    const server = await startServer({ scenario: 'empty', port: 0 })
    onTestFinished(async () => {
      await server.close()
    })
    const { mail, apiKey, identities, webhooks } = server.simulator
    const service = { MAILBOX_BASE_URL: server.url, MAILBOX_API_KEY: apiKey }
    const receiver = await startReceiver(language, { ...service, WEBHOOK_TOKEN: token })
    const madeUp = bodyOf({ type: 'message.received', messageId: 'msg_made_up' })
    expect(await deliver(receiver.url, madeUp)).toBe(200)
    webhooks.create({ url: receiver.url, events: ['message.received'], authToken: token })
    const to = identities.list()[0]?.agent_handle ?? ''
    const { message } = await mail.receive({
      to,
      from: 'Ann <ann@example.com>',
      subject: 'Refund',
      text: 'Please.',
    })
    expect(await receiver.nextLine()).toBe(
      `message.received: ${message.id} from Ann <ann@example.com>: Refund`,
    )
  })

  it('accepts deliveries under every assumption', async () => {
    const url = 'http://agent.test/hook'
    const sim = await createSimulator({ scenario: { scenario: 'desk', identities: [{ handle: 'support' }] } })
    onTestFinished(() => sim.close())
    const { id } = sim.webhooks.create({ url, events: ['message.received'], authToken: token })
    const receiver = await startReceiver(language, {
      WEBHOOK_TOKEN: token,
      WEBHOOK_SECRET: sim.webhooks.secret(id),
      // The time of the story differs from that of the machine.
      WEBHOOK_TOLERANCE: 'Infinity',
    })
    sim.webhooks.on(url, async (delivery) => {
      const headers = Object.fromEntries(delivery.headers)
      return new Response(null, { status: await deliver(receiver.url, await delivery.text(), headers) })
    })
    const ofEvents = Object.entries(gaps).filter(([gap]) => gap.startsWith('events.'))
    expect(ofEvents.length).toBeGreaterThan(8)
    for (const [gap, { assumptions }] of ofEvents) {
      const [usual, ...others] = Object.keys(assumptions)
      for (const assumption of [...others, usual]) {
        sim.assumptions.set({ [gap]: String(assumption) })
        const { message } = await sim.mail.receive({
          to: 'support',
          subject: `${gap}=${assumption}`,
          text: 'Hello',
        })
        expect(await receiver.nextLine()).toBe(`message.received: ${message.id}`)
      }
    }
    const statuses = () => new Set(sim.deliveries.list().map(({ status }) => status))
    await vi.waitFor(() => expect([...statuses()]).toEqual(['succeeded']), { timeout: 20_000 })
  })
})

if (!languages.some(({ name }) => name === 'Python')) {
  it('has no Python 3.9 or later to run the receiver in', () => {
    expect(pythonsOnPath()).toEqual([])
  })
}

/** Returns the status for a request that declares a length and sends no body. */
async function statusOfLength(url: string, length: number): Promise<number | undefined> {
  const asked = request(url, { method: 'POST', headers: { 'Content-Length': length } })
  asked.on('error', () => undefined)
  asked.flushHeaders()
  const [answer] = await once(asked, 'response')
  asked.destroy()
  return answer.statusCode
}
