import { describe, expect, it } from 'vitest'
import { sendingExtensions } from '../support/simulator/sending-desk.js'
import { authorized, serveDesk } from './desk.js'

describe('mail read by the control API', () => {
  it('shows who wrote last to whom, and how many files a thread has', async () => {
    const { controlUrl, simulator } = await serveDesk()
    await simulator.mail.receive({ to: 'support', from: 'Bo <bo@mail.example>', text: 'Too small.' })
    const { threads } = await (await fetch(`${controlUrl}/threads`)).json()
    const [received, answered] = threads
    expect(received).toMatchObject({
      last_message: { direction: 'inbound', from: 'Bo <bo@mail.example>' },
      attachment_count: 0,
    })
    expect(answered).toMatchObject({
      last_message: { direction: 'outbound', to: [expect.stringContaining('ann@mail.example')] },
      attachment_count: 1,
    })
  })

  it('shows a conversation, its files and raw messages without side effects', async () => {
    const { controlUrl, simulator } = await serveDesk()
    simulator.assumptions.set({ 'threads.unread-after-read': 'becomes-read', 'messages.headers': 'omitted' })
    const { threads } = simulator.mailbox.threads()
    const { thread, messages } = await (await fetch(`${controlUrl}/threads/${threads[0]?.id}`)).json()
    expect([thread.agent_handle, thread.message_count]).toEqual(['support', 2])
    const [first, second] = messages
    expect([first.direction, second.direction]).toEqual(['inbound', 'outbound'])
    expect(first.headers).toContainEqual({ name: 'From', value: 'Ann <ann@mail.example>' })
    const [{ id, filename }] = first.attachments
    const file = await fetch(`${controlUrl}/attachments/${id}`)
    expect([filename, await file.text(), file.headers.get('content-disposition')]).toEqual([
      'größe.txt',
      'ä',
      'attachment',
    ])
    const raw = await fetch(`${controlUrl}/messages/${first.id}/raw`)
    expect(raw.headers.get('content-type')).toBe('message/rfc822')
    const again = await simulator.mail.receive({ to: 'support', eml: await raw.text() })
    const copy = simulator.mailbox.message(again.message.id)
    expect([copy.text, copy.from, copy.attachments[0]?.filename]).toEqual([
      first.text,
      first.from,
      'größe.txt',
    ])
    expect(simulator.journal.exchanges()).toEqual([])
    expect(simulator.reliances()).toEqual([])
    expect(simulator.mailbox.threads().threads.every(({ unread }) => unread === threads[0]?.unread)).toBe(
      true,
    )
  })

  it('lists requests without their bodies', async () => {
    const { url, controlUrl } = await serveDesk()
    await fetch(`${url}/api/v1/mail/threads`, { headers: authorized })
    const { exchanges } = await (await fetch(`${controlUrl}/journal?bodies=false`)).json()
    expect(exchanges).toHaveLength(1)
    expect(exchanges[0]).toMatchObject({ seq: 1, operation: 'threads.list', status: 200 })
    expect(exchanges[0]).not.toHaveProperty('response')
  })
})

describe('mail that agents sent', () => {
  async function sendingDesk() {
    const { url, controlUrl, simulator } = await serveDesk({ extend: sendingExtensions })
    const post = (address: string, body: object) =>
      fetch(address, {
        method: 'POST',
        headers: { ...authorized, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const mail = { agent: 'support', subject: 'Refund', text: 'You get 249.00.' }
    await post(`${url}/api/v1/mail/messages`, {
      ...mail,
      to: 'Ann <ann@mail.example>',
      cc: 'bo@mail.example',
    })
    await simulator.mail.send({ from: 'support', to: 'cy@mail.example', text: 'By hand' })
    return {
      ...{ url, controlUrl },
      judge: async (expectation: object) => (await post(`${controlUrl}/judge`, { expectation })).json(),
    }
  }

  it('is listed with the request that sent it, which its thread shows as well', async () => {
    const { controlUrl } = await sendingDesk()
    const { sent } = await (await fetch(`${controlUrl}/sent`)).json()
    expect(sent).toMatchObject([
      {
        agent_handle: 'support',
        to: ['ann@mail.example'],
        cc: ['bo@mail.example'],
        operation: 'messages.send',
        exchange: 2,
      },
    ])
    const { messages } = await (await fetch(`${controlUrl}/threads/${sent[0].thread_id}`)).json()
    expect(messages).toMatchObject([{ id: sent[0].id, exchange: 2 }])
    const unknown = await fetch(`${controlUrl}/sent?agent=suport`)
    expect([unknown.status, (await unknown.json()).error.message]).toMatchSnapshot()
  })

  it('is not judged by a pattern that takes too long', async () => {
    const { judge, controlUrl, url } = await sendingDesk()
    await fetch(`${url}/api/v1/mail/messages`, {
      method: 'POST',
      headers: { ...authorized, 'content-type': 'application/json' },
      body: JSON.stringify({
        agent: 'support',
        to: 'ann@mail.example',
        subject: 'A',
        text: `${'a'.repeat(60)}!`,
      }),
    })
    const { held, found } = await judge({ sent: { text: { matches: '^(a+)+\\1$' } }, times: 0 })
    expect(held).toBe(false)
    expect(found).toMatch(/^the pattern \/\^\(a\+\)\+\\1\$\/ took longer than 250 ms/)
    expect((await fetch(`${controlUrl}/health`)).status).toBe(200)
  })

  it('is judged in the words of a scenario, with keys or ids, and says what came instead', async () => {
    const { judge } = await sendingDesk()
    const sent = { from: 'support', to: 'ann@mail.example', text: '/\\d{3}\\.00/' }
    const { matching } = await judge({ sent, times: 1 })
    expect(matching).toMatchObject([{ exchange: 2 }])
    expect(await judge({ sent: { ...sent, thread: matching[0].thread_id } })).toMatchObject({ held: true })
    expect(await judge({ sent: { ...sent, text: { contains: '24.90' }, cc: [] } })).toMatchSnapshot()
    expect(await judge({ sent: { to: { only: ['*@mail.example'] } } })).toMatchObject({ held: true })
    expect(await judge({ sent: { to: { only: ['ann@mail.example'] } } })).toMatchObject({ held: false })
    expect(await judge({ thread: 'order', has: { unread: false } })).toMatchObject({ held: false })
    expect((await judge({ sent: { form: 'support' } })).error.message).toMatchSnapshot()
    expect((await judge({ thread: 'ordr', has: { unread: true } })).error.message).toMatchSnapshot()
    expect((await judge({ sent: { in_reply_to: 'msg_9' } })).error.message).toMatchSnapshot()
  })

  it('is explained where no request came', async () => {
    const { controlUrl, simulator } = await serveDesk()
    const answer = await fetch(`${controlUrl}/judge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sim-world': simulator.fork().id },
      body: JSON.stringify({ expectation: { sent: { text: 'Hi' } } }),
    })
    const { held, hints } = await answer.json()
    expect([held, hints]).toEqual([
      false,
      [expect.stringMatching(/^No request has come to world_2; does the/)],
    ])
  })
})

describe('GET /', () => {
  it('redirects a browser to the inspector and lists the addresses for programs', async () => {
    const { url } = await serveDesk()
    const browser = await fetch(`${url}/`, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect([browser.status, browser.headers.get('location')]).toEqual([302, './_sim/'])
    const proxied = { accept: 'text/html', 'x-forwarded-prefix': '/mail/sim' }
    const below = await fetch(`${url}/_sim`, { headers: proxied, redirect: 'manual' })
    expect(below.headers.get('location')).toBe('/mail/sim/_sim/')
    const program = await fetch(`${url}/`, { headers: { accept: 'application/json' } })
    expect(await program.json()).toEqual({
      service: '/api/v1',
      mcp: '/mcp',
      control: '/_sim',
      inspector: '/_sim/',
    })
  })
})

describe('GET /_sim/expectations', () => {
  it('evaluates the expectations as if the story ended now', async () => {
    const { url, controlUrl } = await serveDesk({
      scenario: {
        scenario: 'expecting',
        organization: { api_keys: ['desk-key'] },
        identities: [{ handle: 'support', display_name: 'Support' }],
        expect: [
          { identity: 'support', has: { display_name: 'Busy' } },
          { request: 'threads.list', at_least: 1 },
        ],
      },
    })
    const passed = async () => {
      const { expectations } = await (await fetch(`${controlUrl}/expectations`)).json()
      return expectations.map((result: { passed: boolean }) => result.passed)
    }
    expect(await passed()).toEqual([false, false])
    await fetch(`${url}/api/v1/mail/threads`, { headers: authorized })
    expect(await passed()).toEqual([false, true])
    const headers = { ...authorized, 'content-type': 'application/json' }
    await fetch(`${url}/api/v1/identities/support`, {
      method: 'PATCH',
      headers,
      body: '{"display_name":"Busy"}',
    })
    expect(await passed()).toEqual([true, true])
    await fetch(`${controlUrl}/reset`, { method: 'POST' })
    expect(await passed()).toEqual([false, false])
  })
})
