import { createSimulator, defineScenario, type Simulator } from 'agent-mailbox-sim'
import { getResponse } from 'msw'
import { expect, it } from 'vitest'

const url = 'http://agent.test/hook'

const scenario = defineScenario({
  scenario: 'caused-later',
  organization: { api_keys: ['later-key'] },
  extend: 'common',
  identities: [{ handle: 'eva' }],
  webhooks: [{ url, events: ['message.received', 'message.delivered'] }],
  assume: { 'events.retries': 'svix', 'events.data': 'flat-full' },
  timeline: [
    { when: { sent: { subject: 'Question' } }, receive: { in_reply_to: 'sent', text: 'The answer' } },
    { when: { sent: { subject: 'Offer' }, after: '10m' }, deliver: { message: 'sent' } },
    { when: { delivery: 'message.delivered' }, receive: { to: 'eva', text: 'After its delivery' } },
    { when: { request: 'threads.list' }, receive: { to: 'eva', text: 'As it was listed' } },
    { after: '1h', receive: { to: 'eva', text: 'Of the story' } },
  ],
})

const traceOf = (span: string): string => `00-${'a1'.repeat(16)}-${span.repeat(8)}-01`

/** Sends a request as an agent whose span has a number. */
async function ask({ handlers, baseUrl, apiKey }: Simulator, span: string, path: string, body?: object) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    traceparent: traceOf(span),
  }
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const response = await getResponse(handlers, new Request(`${baseUrl}/api/v1${path}`, { ...init, headers }))
  expect(response?.ok).toBe(true)
}

/** Notes the text, or else the event, of each attempt with the trace that it forwards; refuses the first attempt of all. */
function receive(sim: Simulator, seen: (readonly [string, string | null])[]): Simulator {
  sim.webhooks.on(url, async (request) => {
    const { event, data } = (await request.json()) as { event: string; data: { text: string } }
    seen.push([event === 'message.received' ? data.text : event, request.headers.get('traceparent')])
    return new Response(null, { status: seen.length === 1 ? 500 : 200 })
  })
  return sim
}

it('forwards the trace of a request in the deliveries that it causes later, after a snapshot as well', async () => {
  const seen: (readonly [string, string | null])[] = []
  const sim = receive(await createSimulator({ scenario }), seen)
  const mail = { agent: 'eva', to: 'ann@mail.example', text: 'Dear Ann' }
  await ask(sim, 'b1', '/mail/messages', { ...mail, subject: 'Question' })
  await ask(sim, 'c1', '/mail/messages', { ...mail, subject: 'Offer' })
  await ask(sim, 'd1', '/mail/threads?agent=eva')
  await sim.clock.advance('1m')
  const snapshot = JSON.parse(JSON.stringify(sim.snapshot()))
  const later = receive(await createSimulator({ scenario }), seen)
  later.restore(snapshot)
  await later.clock.advance('2h')
  expect(seen).toEqual([
    ['The answer', traceOf('b1')],
    ['As it was listed', traceOf('d1')],
    ['The answer', traceOf('b1')],
    ['message.delivered', traceOf('c1')],
    ['After its delivery', traceOf('c1')],
    ['Of the story', null],
  ])
})
