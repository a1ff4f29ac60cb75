import { describe, expect, it } from 'vitest'
import { ask, createDesk } from '../../test/support/simulator/asked-desk.js'

describe('a fault', () => {
  it.each([
    ['/mail/threads?agent=support', 503],
    ['/mail/threads?agent=@support', 503],
    ['/mail/threads?mailbox=support@agents.example', 503],
    ['/webhooks?agent_handle=support', 503],
    ['/identities/support', 503],
    ['/mail/threads?agent=sales', 200],
    ['/mail/threads', 200],
  ])('of an agent applies to requests that name it: %s gives %i', async (path, status) => {
    const desk = await createDesk()
    desk.readings.set({ 'webhooks.filter-names': 'agent_handle+event_type' })
    desk.faults.add({ handle: 'support', status: 503 })
    await ask(desk, `/api/v1${path}`)
    expect(desk.journal.exchanges()).toMatchObject([{ status }])
  })

  it.each([
    [400, /The fault fault_1 made this request fail/],
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
