import { expect, it } from 'vitest'
import { annsMail, everyRow, smallWorld } from '../../../../test/support/world/small-world.js'
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

const mail = annsMail()
const support = { type: 'update-identity', identity_id: 'ident_support' }
const send = { type: 'send-message', identity_id: 'ident_support', to: ['x@y.example'] }

/** Refused commands, each with the place at fault, by the code of their error; test/server/refusals.test.ts has more. */
const refused: Readonly<Record<string, readonly (readonly [command: unknown, place: string])[]>> = {
  'unknown-command': [
    [{ type: 'recieve-message' }, 'did you mean "receive-message"'],
    ...[undefined, null, 'receive-message', [], {}].map((command) => [command, 'without a type'] as const),
    ...[null, ['receive-message']].map((type) => [{ type }, 'without a type'] as const),
    ...['constructor', '__proto__', ''].map((type) => [{ type }, `"${type}"; expected one of`] as const),
  ],
  invalid: [
    [{ ...support, tick: 0 }, 'update-identity: tick:'],
    [{ ...support, agent_handle: 'x' }, 'update-identity: agent_handle: unknown key'],
    [{ type: 'delete-identity', identity_id: null }, 'delete-identity: identity_id:'],
    [{ type: 'create-webhook', url: 'localhost:8787/hook', events: ['message.received'] }, ': url:'],
    [{ type: 'set-thread-unread', thread_id: 'thrd_refund' }, 'set-thread-unread: unread: is missing'],
    [{ ...send, to: [] }, 'send-message: to: expected a recipient in to, cc or bcc'],
    [{ ...send, from: 'me' }, 'send-message: from: unknown key'],
    [{ ...mail, headers: [['Subject']] }, 'receive-message: headers[0]:'],
    [{ ...mail, attachments: [{ filename: 'a', content: 'a' }] }, 'receive-message: attachments[0].content:'],
    [JSON.parse('{"type": "receive-message", "__proto__": {"x": 1}}'), 'receive-message: __proto__:'],
    ...['2026-02-30T00:00:00Z', '2026-01-05T09:00:00', ''].map((at) => [{ ...mail, at }, `"${at}"`] as const),
    [{ type: 'bounce-message' }, 'Name the message by message_id'],
    [{ type: 'bounce-message', message_id: 'msg_first' }, 'is inbound'],
    [{ type: 'bounce-message', message_id: 'msg_out', thread_id: 'thrd_out' }, 'Name the message'],
  ],
  'not-found': [
    [{ type: 'delete-identity', identity_id: 'thrd_refund' }, 'no identity "thrd_refund"'],
    [{ type: 'set-thread-unread', thread_id: 'thrd_none', unread: true }, 'no thread "thrd_none"'],
    [{ type: 'create-identity', agent_handle: 'eva', organization_id: 'org_none' }, '"org_none"'],
    [{ ...mail, thread_id: 'thrd_none', attachments: [{ filename: 'a', content: '' }] }, '"thrd_none"'],
    [{ ...mail, identity_id: 'ident_sales', thread_id: 'thrd_refund' }, 'in the mailbox of sales'],
    [{ type: 'bounce-message', thread_id: 'thrd_in' }, 'Nothing was sent in the thread "thrd_in"'],
  ],
  'unknown-recipient': [
    [
      { type: 'bounce-message', message_id: 'msg_out', recipient: 'ann' },
      'ann@shop.example, Ben@shop.example',
    ],
  ],
}

const cases = Object.entries(refused).flatMap(([code, commands]) =>
  commands.map(([command, place]) => [code, place, command] as const),
)

it.each(cases)('a command is refused as %s and changes nothing: %s %j', (code, place, command) => {
  const world = worldWithMail()
  const state = () => [
    everyRow(world),
    world.journal.commands().length,
    world.deliveries.list(),
    world.log.latest,
  ]
  const before = state()
  expect(() => world.apply(command as typeof mail)).toThrow(
    expect.objectContaining({ name: 'WorldError', code, message: expect.stringContaining(place) }),
  )
  expect(state()).toEqual(before)
  // No id was used either: the next command gives the same result as without the refused one.
  expect(JSON.stringify(world.apply(mail))).toBe(JSON.stringify(worldWithMail().apply(mail)))
})
