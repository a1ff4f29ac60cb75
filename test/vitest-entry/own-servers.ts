import { createSimulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { expect, mailboxTest } from 'agent-mailbox-sim/vitest'
import { afterAll, afterEach, beforeAll, describe, it, onTestFinished, vi } from 'vitest'
import { listThreads } from './agent.js'

const desk = {
  scenario: 'desk',
  identities: [{ handle: 'support', threads: [{ messages: [{ text: 'One' }] }] }],
}
const hook = 'http://agent.test/hook'

/** A release of MSW: what its entries `msw` and `msw/node` export. */
export interface Release {
  readonly http: typeof import('msw')['http']
  readonly HttpResponse: typeof import('msw')['HttpResponse']
  readonly setupServer: typeof import('msw/node')['setupServer']
}

/** Refuses requests without a handler; each release has its own name for it. */
const strict: object = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' }

/** Tests mailboxes beside the servers of a release of MSW. */
export function testOwnServers(msw: string, { http, HttpResponse, setupServer }: Release): void {
  describe(`a server of ${msw}`, () => {
    const server = setupServer(http.get('https://model.test/answer', () => HttpResponse.text('42')))
    const test = mailboxTest({ scenario: desk, server })

    beforeAll(() => server.listen(strict))
    afterEach(() => server.resetHandlers())
    afterAll(() => server.close())

    for (const time of ['first', 'second']) {
      test(`answers for the mailbox beside others, the ${time} time`, async ({ mailbox }) => {
        expect((await listThreads(mailbox)).total).toBe(1)
        expect(await (await fetch('https://model.test/answer')).text()).toBe('42')
      })
    }

    test('receives the deliveries of the mailbox', async ({ mailbox }) => {
      const bodies: unknown[] = []
      server.use(
        http.post(hook, async ({ request }) => {
          bodies.push(await request.json())
          return new HttpResponse()
        }),
      )
      mailbox.webhooks.create({ url: hook, events: ['message.received'] })
      mailbox.webhooks.create({ url: 'http://nobody.test/hook', events: ['message.received'] })
      const { message } = await mailbox.mail.receive({ to: 'support', text: 'Any news?' })
      await mailbox.waitFor({ delivery: 'message.received', url: hook }, { timeout: '20s' })
      expect(bodies).toMatchObject([{ event: 'message.received', data: { message_id: message.id } }])
      expect(mailbox).toHaveDelivered('message.received', { times: 1 })
      await mailbox.waitFor({ delivery: 'message.received', url: /nobody/, status: 'captured' })
    })
  })

  describe(msw, () => {
    it('answers with the handlers of a simulator, until its server is closed', async () => {
      const simulator = await createSimulator({ scenario: desk })
      const server = setupServer(...simulator.handlers)
      server.listen(strict)
      onTestFinished(() => server.close())
      expect((await listThreads(simulator)).total).toBe(1)
      const onError = vi.spyOn(console, 'error').mockReturnValue()
      server.resetHandlers(http.get(simulator.baseUrl, () => HttpResponse.text('42')))
      expect(onError).not.toHaveBeenCalled()
      expect(await (await fetch(simulator.baseUrl)).text()).toBe('42')
    })

    it('has handlers that a listening simulator takes', async () => {
      const simulator = await listen({ scenario: desk })
      onTestFinished(() => simulator.close())
      simulator.server.use(http.post(hook, () => new HttpResponse(null, { status: 202 })))
      simulator.webhooks.create({ url: hook, events: ['message.received'] })
      await simulator.mail.receive({ to: 'support', text: 'Any news?' })
      const { attempts } = await simulator.waitFor({ delivery: 'message.received' }, { timeout: '20s' })
      expect(attempts).toMatchObject([{ response: { status: 202 } }])
    })
  })
}
