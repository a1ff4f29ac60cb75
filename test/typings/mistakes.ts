/**
 * Mistakes that authors make in TypeScript, each of which `tsc` has to find: this file is not run, and `npm run types` fails for
 * an expected error that is missing.
 */
import { createSimulator, defineExtension, defineScenario, type Simulator } from 'agent-mailbox-sim'
import { listen } from 'agent-mailbox-sim/node'
import { startServer } from 'agent-mailbox-sim/server'
import { expect, mailboxTest } from 'agent-mailbox-sim/vitest'

const identities = [{ handle: 'support' }]

export const keys = [
  // @ts-expect-error identites
  defineScenario({ scenario: 'a', identites: [] }),
  // @ts-expect-error mailbox is mailbox_address
  defineScenario({ scenario: 'a', identities: [{ handle: 'support', mailbox: 'support@x.example' }] }),
  // @ts-expect-error the seed is a number
  defineScenario({ scenario: 'a', seed: '7' }),
  defineScenario({
    scenario: 'a',
    // @ts-expect-error a category of mail
    identities: [{ handle: 'a', generate: { threads: 3, kinds: ['suport'] } }],
  }),
  defineScenario({
    scenario: 'a',
    // @ts-expect-error a category with a weight
    identities: [{ handle: 'a', generate: { threads: 3, kinds: { suport: 1 } } }],
  }),
  // @ts-expect-error common, or a file
  defineScenario({ scenario: 'a', attacks: ['comon'] }),
  // @ts-expect-error message.recieved
  defineScenario({ scenario: 'a', webhooks: [{ url: 'http://a.test/', events: ['message.recieved'] }] }),
]

export const assumptions = [
  // @ts-expect-error threads.totals
  defineScenario({ scenario: 'a', assume: { 'threads.totals': 'page-size' } }),
  // @ts-expect-error page-sizes
  defineScenario({ scenario: 'a', assume: { 'threads.total': 'page-sizes' } }),
  // @ts-expect-error a gap of the timeline
  defineScenario({ scenario: 'a', timeline: [{ after: '1m', assume: { 'thread.total': 'page' } }] }),
  // @ts-expect-error an assumption of the timeline
  defineScenario({ scenario: 'a', timeline: [{ after: '1m', assume: { 'threads.total': 'all' } }] }),
  // @ts-expect-error a gap of an option
  createSimulator({ assume: { 'webhooks.signatures': 'hex' } }),
]

export const operations = [
  // @ts-expect-error thread.list
  defineScenario({ scenario: 'a', expect: [{ request: 'thread.list' }] }),
  // @ts-expect-error threads.lists
  defineScenario({ scenario: 'a', timeline: [{ when: { request: 'threads.lists' }, agent: 'kill' }] }),
  // @ts-expect-error message.list
  defineScenario({ scenario: 'a', timeline: [{ fault: { operation: 'message.list', status: 503 } }] }),
]

export const durations = [
  // @ts-expect-error 30 seconds
  defineScenario({ scenario: 'a', timeline: [{ after: '30 seconds', unread: { thread: 'a' } }] }),
  // @ts-expect-error a number
  defineScenario({ scenario: 'a', timeline: [{ after: 30, unread: { thread: 'a' } }] }),
  // @ts-expect-error 1min
  defineScenario({ scenario: 'a', timeline: [{ after: '1m', fault: { delay: '1min' } }] }),
  // @ts-expect-error within
  defineScenario({ scenario: 'a', expect: [{ request: 'threads.list', within: '5' }] }),
  // @ts-expect-error over
  defineScenario({ scenario: 'a', identities: [{ handle: 'a', generate: { threads: 2, over: '90 days' } }] }),
]

export const scenarios = [
  // @ts-expect-error suport-desk
  createSimulator({ scenario: 'suport-desk' }),
  // @ts-expect-error refund_request
  listen({ scenario: 'refund_request' }),
  // @ts-expect-error busy-inboxes
  startServer({ scenario: 'busy-inboxes' }),
  // @ts-expect-error paginated
  mailboxTest({ scenario: 'paginated' }),
  // @ts-expect-error an option of mailboxTest
  mailboxTest({ scenario: 'support-desk', isolated: true }),
  // @ts-expect-error a mode of the clock
  createSimulator({ clock: 'fake' }),
]

export async function controls(mailbox: Simulator): Promise<void> {
  // @ts-expect-error a gap
  mailbox.assumptions.set({ 'threads.oder': 'created-asc' })
  // @ts-expect-error an assumption
  mailbox.assumptions.set({ 'threads.order': 'created' })
  // @ts-expect-error an operation of a fault
  mailbox.faults.add({ operation: 'threads.get-all', status: 503 })
  // @ts-expect-error a key of a fault
  mailbox.faults.add({ operation: 'threads.list', code: 503 })
  // @ts-expect-error a duration
  await mailbox.clock.advance('five minutes')
  // @ts-expect-error an operation that is waited for
  await mailbox.waitFor({ operation: 'thread.list' })
  // @ts-expect-error an operation of the journal
  mailbox.journal.exchanges({ operation: 'messages.lists' })
  // @ts-expect-error a time-out
  await mailbox.waitFor({ operation: 'threads.list' }, { timeout: '2sec' })
  // @ts-expect-error a field of mail
  mailbox.mail.receive({ to: 'support', subjet: 'Hello', text: 'Hi' })
}

export function matchers(mailbox: Simulator): void {
  // @ts-expect-error an operation
  expect(mailbox).toHaveRequested('thread.list')
  // @ts-expect-error a part of the request
  expect(mailbox).toHaveRequested('threads.list', { params: { agent: 'support' } })
  // @ts-expect-error a field of a thread
  expect(mailbox).toHaveThread({ agent: 'support', isUnread: true })
  // @ts-expect-error the type of a field of a thread
  expect(mailbox).toHaveThread({ agent: 'support', unread: 'no' })
  // @ts-expect-error a field of sent mail
  expect(mailbox).toHaveSent({ from: 'support', recipient: 'ann@example.com' })
  // @ts-expect-error an event
  expect(mailbox).toHaveDelivered('message.sent')
  // @ts-expect-error a gap
  expect(mailbox).toHaveReliedOnlyOn(['threads.totals'])
  // @ts-expect-error the name of a parameter
  expect(mailbox).toHaveRequested('threads.list', { query: { agnt: 'support' } })
}

export const extension = defineExtension(({ operation, gap }) => {
  const status = gap({ id: 'a.status', question: '?', assumptions: { ok: 'Yes.', no: 'No.' } })
  return [
    operation({
      id: 'a.get',
      method: 'GET',
      path: '/api/v1/a/{name}',
      perform({ params, settle }) {
        // @ts-expect-error the name of a parameter of the path
        settle(status, { ok: () => params.nam, no: () => '' })
        // @ts-expect-error an assumption is missing
        return settle(status, { ok: () => 1 })
      },
    }),
  ]
})

void identities
