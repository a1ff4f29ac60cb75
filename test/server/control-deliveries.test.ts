import type { Delivery } from 'agent-mailbox-sim'
import type { RunningServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { ask, refusal } from './control-client.js'
import { desk, serveDesk } from './desk.js'

const soon = { timeout: '20s' } as const
const url = 'http://agent.test/hook'

/** Serves a desk without webhooks; a receiver in this process answers with these statuses in turn. */
async function hookedDesk(...statuses: number[]): Promise<RunningServer> {
  const receiver = (): Response => {
    const [status = 200, ...others] = statuses
    if (others.length > 0) statuses.shift()
    return new Response(null, { status })
  }
  return serveDesk({ scenario: { ...desk, webhooks: [] }, receiver })
}

const everything = ['message.received', 'message.delivered', 'message.bounced']

/** Subscribes a URL to all events and returns the subscription as shown. */
async function subscribe(server: RunningServer, more: object = {}) {
  return (await ask(server, 'POST', '/webhooks', { body: { url, events: everything, ...more } })).body
}

/** Receives a mail and waits for the first attempt of its delivery. */
async function receiveMail(server: RunningServer, subject = 'Refund?'): Promise<Delivery> {
  const body = { to: 'support', subject, text: 'Any news?' }
  const { message } = (await ask(server, 'POST', '/messages', { body })).body
  const first = { delivery: 'message.received', message: message.id, status: 'any', attempts: 1 } as const
  return server.simulator.waitFor(first, soon)
}

const idsOf = (deliveries: readonly Delivery[]): string[] => deliveries.map(({ id }) => id)

describe('GET /_sim/deliveries', () => {
  it('filters deliveries, up to a limit', async () => {
    const server = await hookedDesk(200)
    const { id: webhook } = await subscribe(server)
    await subscribe(server, { url: 'http://agent.test/other', events: ['message.received'] })
    const sent = { direction: 'outbound', from: 'support', to: 'ann@mail.example', text: 'On its way.' }
    const { message } = (await ask(server, 'POST', '/messages', { body: sent })).body
    await ask(server, 'POST', `/messages/${message.id}/bounced`)
    const { message_id } = await receiveMail(server)
    await server.simulator.clock.advance(0)
    const list = async (query: string): Promise<Delivery[]> =>
      (await ask(server, 'GET', `/deliveries?${query}`)).body.deliveries
    const [bounced, first, other] = idsOf(await list(''))
    expect(idsOf(await list('event=message.bounced'))).toEqual([bounced])
    expect(idsOf(await list('status=succeeded'))).toEqual([bounced, first, other])
    expect(await list('status=pending')).toEqual([])
    expect(idsOf(await list(`webhook=${webhook}`))).toEqual([bounced, first])
    expect(idsOf(await list('url=http://AGENT.test:80/other'))).toEqual([other])
    expect(idsOf(await list(`message=${message_id}`))).toEqual([first, other])
    expect(idsOf(await list(`since=${bounced}`))).toEqual([first, other])
    expect(idsOf(await list(`since=${bounced}&limit=1`))).toEqual([first])
    expect(await list(`since=${other}`)).toEqual([])
    expect(await list('webhook=whk_none')).toEqual([])
  })
})

describe('POST /_sim/deliveries/{id}/redeliver', () => {
  it('delivers what was captured before', async () => {
    const server = await serveDesk({ scenario: { ...desk, webhooks: [] }, receiver: () => undefined })
    await subscribe(server)
    const { id, status } = await receiveMail(server)
    expect(status).toBe('captured')
    server.simulator.webhooks.on(url, () => undefined)
    expect((await ask(server, 'POST', `/deliveries/${id}/redeliver`)).body).toMatchObject({
      status: 'succeeded',
      reason: null,
    })
  })

  it('refuses those of deleted subscriptions', async () => {
    const server = await hookedDesk(200)
    const webhook = await subscribe(server)
    const { id } = await receiveMail(server)
    await ask(server, 'DELETE', `/webhooks/${webhook.id}`)
    expect(await refusal(server, 'POST', `/deliveries/${id}/redeliver`)).toMatch(
      /^404 not_found: The subscription of the delivery/,
    )
    const { body } = await ask(server, 'GET', `/deliveries/${id}`)
    expect(body).toEqual(JSON.parse(JSON.stringify(server.simulator.deliveries.get(id))))
    expect(body.attempts).toHaveLength(1)
  })
})

describe('POST /_sim/messages/{id}/delivered and /bounced', () => {
  const sent = { direction: 'outbound', from: 'support', to: 'ann@mail.example', text: 'On its way.' }

  it.each(['delivered', 'bounced'] as const)('notifies subscriptions: %s', async (outcome) => {
    const server = await hookedDesk(200)
    await subscribe(server)
    const { message } = (await ask(server, 'POST', '/messages', { body: sent })).body
    for (const body of [undefined, { recipient: 'ann@mail.example' }, { recipient: null }]) {
      const answer = await ask(server, 'POST', `/messages/${message.id}/${outcome}`, body && { body })
      expect(answer).toEqual({ status: 200, body: message })
    }
    await server.simulator.clock.advance(0)
    const query = `?event=message.${outcome}&status=succeeded`
    const { deliveries } = (await ask(server, 'GET', `/deliveries${query}`)).body
    const sentData = deliveries.map(
      ({ attempts }: Delivery) => JSON.parse(attempts[0]?.request.body ?? '').data,
    )
    expect(sentData).toMatchObject([
      { message_id: message.id },
      { message_id: message.id, recipient: 'ann@mail.example' },
      { message_id: message.id },
    ])
    expect(sentData.map((data: object) => 'recipient' in data)).toEqual([false, true, false])
  })
})
