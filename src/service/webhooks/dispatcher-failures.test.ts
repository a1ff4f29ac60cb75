import { describe, expect, it } from 'vitest'
import { type Answering, gist, hookedWorld } from '../../../test/support/webhooks/hooked-world.js'
import { annsMail } from '../../../test/support/world/small-world.js'

const hour = 3_600_000

describe('a failing delivery', () => {
  it.each<[string, Answering, unknown]>([
    ['a redirect', () => Response.redirect('http://elsewhere.test/'), 302],
    ['410', () => 410, 410],
    ['404', () => 404, 404],
    ['a rejection', () => Promise.reject(new Error('broken receiver')), 'threw'],
  ])('is retried after %s', async (_, answer, outcome) => {
    const { world, requests, defects } = hookedWorld({ assumptions: { 'events.retries': 'svix' } })
    requests('agent', (request, n, body) => (n === 0 ? answer(request, n, body) : 200))
    requests('elsewhere')
    world.apply(annsMail())
    await world.clock.advance(5000)
    const [delivery] = world.deliveries.list()
    expect(delivery && gist(delivery)).toMatchObject({
      status: 'succeeded',
      attempts: [
        ['event', outcome],
        ['retry', 200],
      ],
    })
    expect(defects).toEqual([])
  })

  it('is never sent to a URL with credentials', async () => {
    const { world } = hookedWorld({ subscriptions: [] })
    const seen: Request[] = []
    world.receivers.on('*', (request) => void seen.push(request))
    for (const credentials of ['ann:hunter2', 'ann', ':hunter2']) {
      const url = `http://${credentials}@agent.test/hook`
      world.apply({ type: 'create-webhook', url, events: ['message.received'] })
    }
    world.apply(annsMail())
    await world.clock.advance(0)
    const deliveries = world.deliveries.list()
    expect(deliveries.map(({ attempts }) => attempts[0]?.error)).toEqual(
      Array(3).fill({ code: 'unreachable', message: expect.stringContaining('a token instead') }),
    )
    expect(seen).toEqual([])
    expect(JSON.stringify(deliveries)).not.toContain('hunter2')
  })

  it('ends when its subscription is deleted', async () => {
    const { world, requests } = hookedWorld()
    const seen = requests('agent', () => 500)
    world.apply(annsMail())
    await world.clock.advance(0)
    const id = world.deliveries.list()[0]?.webhook_id ?? ''
    world.apply({ type: 'delete-webhook', webhook_id: id })
    await world.clock.advance(48 * hour)
    expect(seen).toHaveLength(1)
    expect(world.deliveries.list()).toMatchObject([
      { status: 'failed', reason: 'Its subscription was deleted.', attempts: [{ cause: 'event' }] },
    ])
  })
})
