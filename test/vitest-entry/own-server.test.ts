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
    test(`is there beside its other handlers, the ${time} time`, async ({ mailbox }) => {
      expect((await listThreads(mailbox)).total).toBe(1)
      expect(await (await fetch('https://model.test/answer')).text()).toBe('42')
    })
  }
})
