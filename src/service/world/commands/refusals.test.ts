import { expect, it } from 'vitest'
import { annsMail, everyRow, smallWorld } from '../../../../test/support/world/small-world.js'
import { WorldError } from '../../model/errors.js'
import type { World } from '../world.js'

/** A small world with a thread in which nothing was sent, and a message sent to two recipients. */
function worldWithMail(): World {
  const world = smallWorld()
  world.apply({ type: 'create-webhook', url: 'http://agent.test/hook', events: ['message.bounced'] })
  world.apply(annsMail({ ids: { message: 'msg_in', thread: 'thrd_in' } }))
  world.apply({
    type: 'send-message',
    identity_id: 'ident_support',
    to: ['ann@shop.example', 'Ben@shop.example'],
    ids: { message: 'msg_out', thread: 'thrd_out' },
  })
  return world
}

const url = 'http://127.0.0.1:8787/hook'
const events = ['message.received']
const mail = annsMail()
const eva = { type: 'create-identity', agent_handle: 'eva' }
const support = { type: 'update-identity', identity_id: 'ident_support' }
const hook = { type: 'create-webhook', url, events }
const send = { type: 'send-message', identity_id: 'ident_support', to: ['x@y.example'] }

/** Commands that are refused. */
const refused: Readonly<Record<string, readonly unknown[]>> = {
  unknown: [
    { type: 'recieve-message' },
    { type: 'dance' },
    ...[undefined, null, 'receive-message', [], {}],
    ...[null, ['receive-message'], { toString: 1 }, 'constructor', '__proto__', ''].map((type) => ({ type })),
  ],
  invalid: [
    { type: 'create-identity' },
    ...['@support', 'x'.repeat(65)].map((agent_handle) => ({ ...eva, agent_handle })),
    ...['nowhere', 'x@y.example\r\nBcc: z'].map((mailbox_address) => ({ ...eva, mailbox_address })),
    { ...eva, colour: 'red' },
    { ...support, tick: 0 },
    { ...support, agent_handle: 'x' },
    { type: 'delete-identity', identity_id: null },
    { ...hook, events: [] },
    { ...hook, auth_token: '' },
    ...['ftp://hooks.example/in', 'javascript:alert(1)', 'nowhere', 'localhost:8787/hook', ''].map((url) => ({
      ...hook,
      url,
    })),
    { type: 'set-thread-unread', thread_id: 'thrd_refund' },
    { ...send, to: [] },
    { ...send, from: 'me' },
    { ...mail, from: '' },
    { ...mail, headers: [['Subject']] },
    { ...mail, attachments: [{ filename: 'a' }] },
    { ...mail, attachments: [{ filename: 'a', content: 'a' }] },
    { ...mail, attachments: [{ filename: 'a', content: '', size: 1 }] },
    JSON.parse('{"type": "receive-message", "__proto__": {"x": 1}, "identity_id": "ident_support"}'),
    ...['yesterday', '2026-02-30T00:00:00Z', '2026-01-05T09:00:00', ''].map((at) => ({ ...mail, at })),
  ],
  'for a missing row': [
    { type: 'delete-identity', identity_id: 'thrd_refund' },
    { type: 'set-thread-unread', thread_id: 'thrd_none', unread: true },
    { ...eva, organization_id: 'org_none' },
    { ...hook, agent_handle: 'rival' },
    { ...mail, thread_id: 'thrd_none', attachments: [{ filename: 'a', content: '' }] },
    { ...mail, identity_id: 'ident_sales', thread_id: 'thrd_refund' },
  ],
  'for an outcome that cannot be': ['deliver-message', 'bounce-message'].flatMap((type) => [
    { type },
    { type, message_id: 'msg_first' },
    { type, message_id: 'msg_none' },
    { type, message_id: 'msg_second', recipient: '' },
    { type, message_id: 'msg_out', recipient: 'ann' },
    { type, message_id: 'msg_out', thread_id: 'thrd_out' },
    { type, thread_id: 'thrd_in' },
  ]),
}

/** Returns what a refused command is told; it must change nothing. */
function refusal(command: unknown): string {
  const world = worldWithMail()
  const state = () => [
    everyRow(world),
    world.journal.commands().length,
    world.deliveries.list(),
    world.log.latest,
  ]
  const before = state()
  let error: unknown
  try {
    world.apply(command as typeof mail)
  } catch (thrown) {
    error = thrown
  }
  expect(state()).toEqual(before)
  // No id was used either: the next command gives the same result as without the refused one.
  expect(JSON.stringify(world.apply(mail))).toBe(JSON.stringify(worldWithMail().apply(mail)))
  expect(error).toBeInstanceOf(WorldError)
  const { code, message } = error as WorldError
  return `${code}: ${message}`
}

it.each(Object.entries(refused))('a command %s is refused and changes nothing', (_, commands) => {
  const lines = commands.map((command) => `${JSON.stringify(command)}\n  ${refusal(command)}`)
  expect(`\n${lines.join('\n')}\n`).toMatchSnapshot()
})
