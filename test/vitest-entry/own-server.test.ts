import { expect, mailboxTest } from 'agent-mailbox-sim/vitest'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { listThreads } from './agent.js'

const server = setupServer(http.get('https://model.test/answer', () => HttpResponse.text('42')))
const desk = {
  scenario: 'desk',
  identities: [{ handle: 'support', threads: [{ messages: [{ text: 'One' }] }] }],
}
const test = mailboxTest({ scenario: desk, server })

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

describe('a mailbox behind an MSW server of the test', () => {
  for (const time of ['first', 'second']) {
    test(`works beside other handlers, the ${time} time`, async ({ mailbox }) => {
      expect((await listThreads(mailbox)).total).toBe(1)
      expect(await (await fetch('https://model.test/answer')).text()).toBe('42')
    })
  }

  test('sends its deliveries to the handlers of the test', async ({ mailbox }) => {
    const url = 'http://agent.test/hook'
    const bodies: unknown[] = []
    server.use(
      http.post(url, async ({ request }) => {
        bodies.push(await request.json())
        return new HttpResponse()
      }),
    )
    mailbox.webhooks.create({ url, events: ['message.received'] })
    mailbox.webhooks.create({ url: 'http://nobody.test/hook', events: ['message.received'] })
    const { message } = await mailbox.mail.receive({ to: 'support', text: 'Any news?' })
    await mailbox.waitFor({ delivery: 'message.received', url }, { timeout: '20s' })
    expect(bodies).toMatchObject([{ event: 'message.received', data: { message_id: message.id } }])
    expect(mailbox).toHaveDelivered('message.received', { times: 1 })
    await mailbox.waitFor({ delivery: 'message.received', url: /nobody/, status: 'captured' })
  })
})
