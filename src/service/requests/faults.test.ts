import { describe, expect, it } from 'vitest'
import { askHandlers } from '../../../test/support/ask-handlers.js'
import { ask, createDesk } from '../../../test/support/simulator/asked-desk.js'
import { createSimulator } from '../../doors/simulator/create-simulator.js'
import type { AssumptionChoices } from '../assumptions/assumptions.js'

describe('a fault', () => {
  const own = { 'webhooks.filter-names': 'handle+type' } as const
  const folded = { 'identities.handle-case': 'insensitive' } as const
  const slash = { 'path.trailing-slash': 'same' } as const
  it.each<[string, boolean, AssumptionChoices?]>([
    ['GET /mail/threads?agent=support', true],
    ['GET /mail/threads?agent=@support', true],
    ['GET /mail/threads?mailbox=support@agents.example', true],
    ['GET /mail/messages?thread_id=THREAD', true],
    ['GET /webhooks?agent=support', true],
    ['GET /webhooks?handle=support', false],
    ['GET /webhooks?handle=support', true, own],
    ['GET /webhooks?agent=support', false, own],
    ['GET /webhooks?agent_handle=support', true, { 'webhooks.filter-names': 'agent_handle+event_type' }],
    ['GET /identities/support', true],
    ['PATCH /identities/@support', true],
    ['PATCH /identities/sales {"display_name":"support"}', false],
    ['GET /identities/SUPPORT', false],
    ['GET /identities/SUPPORT', true, folded],
    ['GET /mail/threads?agent=Support', true, folded],
    ['GET /identities/support/', false],
    ['GET /identities/support/', true, slash],
    ['GET /identities/%ff', false],
    ['GET /mail/threads?agent=sales', false],
    ['GET /mail/threads', false],
    ['GET /mail/threads/THREAD', true],
    ['POST /mail/messages/MESSAGE/reply {"text":"Hi"}', true],
    ['POST /mail/messages {"agent":"support","to":"a@x.example"}', true],
    ['POST /mail/messages {"agent":"sales","to":"a@x.example","text":"support"}', false],
    [
      'POST /webhooks {"url":"http://127.0.0.1:9/h","events":["message.bounced"],"agent_handle":"@support"}',
      true,
    ],
    ['DELETE /webhooks/WEBHOOK', true],
  ])('of an agent disturbs the requests that name it: %s %s %o', async (line, isHit, assumptions = {}) => {
    const threads = [{ messages: [{ text: 'Hello' }] }]
    const desk = await createSimulator({
      scenario: { scenario: 'desk', identities: [{ handle: 'support', threads }, { handle: 'sales' }] },
      extend: ['common'],
      assume: assumptions,
    })
    const [message] = (await askHandlers(desk, 'GET', '/mail/messages')).body.messages
    const { id: webhook } = desk.webhooks.create({
      url: 'http://127.0.0.1:9/',
      events: ['message.received'],
      agentHandle: 'support',
    })
    desk.faults.add({ handle: 'support', status: 418 })
    const [method = '', path = '', body] = line
      .replace('THREAD', message.thread_id)
      .replace('MESSAGE', message.id)
      .replace('WEBHOOK', webhook)
      .split(/ (?=[/{])/)
    const { status } = await askHandlers(desk, method, path, body && JSON.parse(body))
    expect(status === 418).toBe(isHit)
  })

  it.each([
    ['POST /mail/messages {"agent":"support","to":"Ann <ANN@x.example>","text":"Hi"}', true],
    ['POST /mail/messages {"agent":"support","bcc":["bo@x.example","ann@x.example"],"text":"Hi"}', true],
    ['POST /mail/messages {"agent":"support","to":"bo@x.example","text":"ann@x.example"}', false],
    ['POST /mail/messages/MESSAGE/reply {"text":"Hi"}', true],
    ['POST /mail/messages/MESSAGE/reply {"to":"bo@x.example","text":"Hi"}', false],
    ['GET /mail/messages', false],
  ])('to a recipient disturbs the requests that send mail there: %s %s', async (line, isHit) => {
    const threads = [{ messages: [{ from: 'Ann <ann@x.example>', text: 'Hello' }] }]
    const desk = await createSimulator({
      scenario: { scenario: 'desk', identities: [{ handle: 'support', threads }] },
      extend: ['common'],
    })
    const [message] = (await askHandlers(desk, 'GET', '/mail/messages')).body.messages
    desk.faults.add({ where: { to: 'ann@*.example' }, status: 418 })
    const [method = '', path = '', body] = line.replace('MESSAGE', message.id).split(/ (?=[/{])/)
    const { status } = await askHandlers(desk, method, path, body && JSON.parse(body))
    expect(status === 418).toBe(isHit)
  })
  it('of an agent disturbs those of its exact name, if another differs only in case', async () => {
    const identities = [{ handle: 'support' }, { handle: 'Support', mailbox_address: 'other@agents.example' }]
    const desk = await createSimulator({ scenario: { scenario: 'desk', identities }, assume: folded })
    desk.faults.add({ handle: 'Support', status: 418 })
    const statusOf = async (handle: string) =>
      (await askHandlers(desk, 'GET', `/identities/${handle}`)).status
    expect([await statusOf('Support'), await statusOf('support')]).toEqual([418, 200])
  })

  it.each([
    [400, /The request failed: Bad Request/],
    [399, /^$/],
  ])('with status %i has an error body from 400 on', async (status, body) => {
    const desk = await createDesk()
    desk.faults.add({ status })
    await ask(desk, '/api/v1/mail/threads')
    const [exchange] = desk.journal.exchanges()
    expect(exchange?.status).toBe(status)
    expect(exchange?.response.body ?? '').toMatch(body)
  })
})
