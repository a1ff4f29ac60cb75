import { describe, expect, it } from 'vitest'
import { annsMail, everyRow, smallWorld } from '../../../test/support/world/small-world.js'
import { CommandError } from '../errors.js'
import type { World } from '../world.js'

/** Returns the error of a refused command, which must change nothing. */
function refusal(command: unknown, world = smallWorld()) {
  const before = everyRow(world)
  const applied = world.journal.commands().length
  const next = JSON.stringify(copyOf(world).apply(annsMail()))
  let error: unknown
  try {
    world.apply(command as ReturnType<typeof annsMail>)
  } catch (thrown) {
    error = thrown
  }
  expect(everyRow(world)).toBe(before)
  expect(world.journal.commands()).toHaveLength(applied)
  // No id was used either: the next command gives the same result as without the refused one.
  expect(JSON.stringify(world.apply(annsMail()))).toBe(next)
  expect(error).toBeInstanceOf(CommandError)
  return error as CommandError
}

/** A fresh world to which the same commands were applied. */
function copyOf(world: World): World {
  const same = smallWorld()
  for (const { command } of world.journal.commands()) same.apply(command as ReturnType<typeof annsMail>)
  return same
}

describe('an unknown command', () => {
  it.each([
    [{ type: 'recieve-message' }, 'There is no command "recieve-message"; did you mean "receive-message"?'],
    [
      { type: 'dance' },
      'There is no command "dance"; expected one of bounce-message, create-identity, create-webhook, ' +
        'delete-identity, delete-webhook, deliver-message, receive-message, send-message, ' +
        'set-thread-unread, update-identity, update-webhook.',
    ],
  ])('%j is refused with its name', (command, message) => {
    expect(refusal(command)).toMatchObject({ code: 'unknown-command', message })
  })

  it.each<[unknown]>([
    ...[undefined, null, 'receive-message', [], {}].map((command): [unknown] => [command]),
    ...[null, ['receive-message'], { toString: 1 }, 'constructor', '__proto__', ''].map((type): [unknown] => [
      { type },
    ]),
  ])('%j is refused', (command) => {
    const { code, message } = refusal(command)
    expect(code).toBe('unknown-command')
    expect(message).toMatch(/^There is no command .*expected one of bounce-message, create-identity, /)
  })
})

const url = 'http://127.0.0.1:8787/hook'
const events = ['message.received']

/** Invalid commands of a known type, with the key that their error names. */
const invalidCommands: [string, Record<string, unknown>, string][] = [
  ['create-identity', {}, 'agent_handle'],
  ['create-identity', { agent_handle: '@support' }, 'agent_handle'],
  ['create-identity', { agent_handle: 'x'.repeat(65) }, 'agent_handle'],
  ['create-identity', { agent_handle: 'x', mailbox_address: 'nowhere' }, 'mailbox_address'],
  ['create-identity', { agent_handle: 'x', mailbox_address: 'x@y.example\r\nBcc: z' }, 'mailbox_address'],
  ['create-identity', { agent_handle: 'x', colour: 'red' }, 'colour'],
  ['update-identity', { identity_id: 'ident_support', tick: 0 }, 'tick'],
  ['update-identity', { identity_id: 'ident_support', agent_handle: 'x' }, 'agent_handle'],
  ['delete-identity', { identity_id: null }, 'identity_id'],
  ['create-webhook', { url, events: [] }, 'events'],
  ['create-webhook', { url, events, auth_token: '' }, 'auth_token'],
  ['set-thread-unread', { thread_id: 'thrd_refund' }, 'unread'],
  ['send-message', { identity_id: 'ident_support', to: [] }, 'to'],
  ['send-message', { identity_id: 'ident_support', to: ['x@y.example'], from: 'me' }, 'from'],
  ['receive-message', { ...annsMail(), from: '' }, 'from'],
  ['receive-message', { ...annsMail(), headers: [['Subject']] }, 'headers'],
  ['receive-message', { ...annsMail(), attachments: [{ filename: 'a' }] }, 'attachments[0].content'],
  ['receive-message', { ...annsMail(), attachments: [{ filename: 'a', content: 'a' }] }, 'content'],
  ['receive-message', { ...annsMail(), attachments: [{ filename: 'a', content: '', size: 1 }] }, 'size'],
  ['receive-message', JSON.parse('{"__proto__": {"x": 1}, "identity_id": "ident_support"}'), 'from'],
]

describe('an invalid command', () => {
  it.each(invalidCommands)('%s %j is refused with the wrong key', (type, fields, key) => {
    const { code, message } = refusal({ ...fields, type })
    expect(code).toBe('invalid')
    expect(message.startsWith(`${type}: `)).toBe(true)
    expect(message).toContain(key)
  })

  it.each(['ftp://hooks.example/in', 'javascript:alert(1)', 'nowhere', 'localhost:8787/hook', ''])(
    'is refused with a webhook URL of %j',
    (url) => {
      const { message } = refusal({ type: 'create-webhook', url, events })
      expect(message).toBe('create-webhook: url: expected an http(s) URL')
    },
  )

  it.each(['yesterday', '2026-02-30T00:00:00Z', '2026-01-05T09:00:00', ''])(
    'is refused with a time of %j',
    (at) => {
      expect(refusal(annsMail({ at }))).toMatchObject({
        code: 'invalid',
        message: `"${at}" is not an ISO 8601 instant such as 2026-01-05T09:00:00Z.`,
      })
    },
  )
})

describe('a command for a missing row', () => {
  it.each<[Record<string, unknown>, string]>([
    [
      { type: 'delete-identity', identity_id: 'thrd_refund' },
      'There is no identity "thrd_refund" in this world, since this is the id of a thread; GET /_sim/identities and sim.identities.list() list them.',
    ],
    [
      { type: 'set-thread-unread', thread_id: 'thrd_none', unread: true },
      'There is no thread "thrd_none" in this world; GET /_sim/threads and sim.threads.list() list them.',
    ],
    [
      { type: 'create-identity', agent_handle: 'x', organization_id: 'org_none' },
      'There is no organization "org_none" in this world; the scenario has them.',
    ],
    [
      { type: 'create-webhook', url, events, agent_handle: 'rival' },
      'There is no agent "rival" for the subscription to be scoped to; expected one of support, sales.',
    ],
    [
      annsMail({ thread_id: 'thrd_none', attachments: [{ filename: 'a', content: '' }] }),
      'There is no thread "thrd_none" in the mailbox of support; GET /_sim/threads and sim.threads.list() list them.',
    ],
    [
      annsMail({ identity_id: 'ident_sales', thread_id: 'thrd_refund' }),
      'There is no thread "thrd_refund" in the mailbox of sales; GET /_sim/threads and sim.threads.list() list them.',
    ],
  ])('%j is refused', (command, message) => {
    expect(refusal(command)).toMatchObject({ code: 'not-found', message })
  })
})
