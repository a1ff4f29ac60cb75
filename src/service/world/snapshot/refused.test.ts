import { expect, it } from 'vitest'
import { annsMail, everyRow } from '../../../../test/support/world/small-world.js'
import { storyWorlds } from '../../../../test/support/world/story-world.js'
import { WorldError } from '../../model/errors.js'
import type { World } from '../world.js'

/** Creates a world of `storyBeginning` with every kind of change. */
async function changedWorld(): Promise<World> {
  const [world] = storyWorlds(1) as [World]
  await world.clock.advance(45 * 60_000)
  // A failing receiver leaves deliveries to retry.
  world.receivers.on('*', () => new Response('later', { status: 503 }))
  const file = { filename: 'a.txt', content: 'aGVsbG8=' }
  world.apply(annsMail({ subject: 'New', text: 'Hello', attachments: [file] }))
  world.apply(annsMail({ in_reply_to: 'msg_first', text: 'Again' }))
  await world.clock.advance(0)
  world.apply({ type: 'update-identity', identity_id: 'ident_support', display_name: 'Other' })
  world.apply({ type: 'create-identity', agent_handle: 'desk' })
  world.apply({ type: 'delete-identity', identity_id: 'ident_rival' })
  const url = 'http://127.0.0.1:9/'
  world.apply({ type: 'create-webhook', url, events: ['message.received'], agent_handle: 'support' })
  world.setAssumptions({ 'threads.total': 'page-size' })
  world.addFault({ status: 503, after: 1, times: 2 })
  return world
}

/**
 * The document of a world in which something of everything has changed. Of its rows, `message[3]` is new in the
 * scenario's `thread[3]`, `message[2]` has the file `attachment[0]`, and `identity[0]` is the scenario's `support`.
 */
const document: string = JSON.stringify((await changedWorld()).snapshot())

/** Returns the document with other values at places such as `rows.message.0.subject`; undefined omits a value. */
function documentWith(changes: Readonly<Record<string, unknown>>): object {
  const changed = JSON.parse(document)
  for (const [place, value] of Object.entries(changes)) {
    const keys = place.split('.')
    const last = keys.pop() ?? ''
    const holder = keys.reduce((inner, key) => inner[key], changed)
    if (value === undefined) delete holder[last]
    else holder[last] = value
  }
  return changed
}

/** Returns the error for a refused document, which must not change the world; undefined if it is restored. */
function refusalOf(
  changed: unknown,
  world = storyWorlds(1)[0] as World,
): Pick<WorldError, 'code' | 'message'> | undefined {
  world.apply(annsMail({ text: 'Mine' }))
  const state = () => [JSON.stringify(world.snapshot()), everyRow(world), world.journal.commands().length]
  const before = state()
  try {
    world.restore(changed)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(WorldError)
    expect(state()).toEqual(before)
    const { code, message } = error as WorldError
    return { code, message }
  }
}

it('is restored with its keys in any order', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, held]) => [key, reversed(held)])
    return Object.fromEntries(entries.reverse())
  }
  expect(refusalOf(reversed(JSON.parse(document)))).toBeUndefined()
})

it.each<[what: unknown, code: string, place: string]>([
  [document, 'malformed', 'the document'],
  [null, 'malformed', 'the document'],
  [[JSON.parse(document)], 'malformed', 'the document'],
  [{ openapi: '3.1.0' }, 'malformed', 'format'],
  [documentWith({ fingerprint: undefined }), 'malformed', 'fingerprint'],
])('is refused as a whole: case %#', (given, code, place) => {
  const message = expect.stringContaining(`: ${place}: `)
  expect(refusalOf(given)).toEqual({ code, message })
})

it.each<[code: string, place: string, value: unknown]>([
  ['wrong-version', 'version', 1],
  ['malformed', 'more', 1],
  ['wrong-scenario', 'scenario', 'other'],
  ['wrong-scenario', 'seed', 8],
  ['wrong-scenario', 'start', '2020-01-01T00:00:00.000Z'],
  ['wrong-scenario', 'fingerprint', 'x'],
  ['masked', 'secrets', 'masked'],
  ['inconsistent', 'rows.message.3.thread_id', 'thrd_no'],
  ['inconsistent', 'rows.message.2.attachment_ids', ['att_no']],
  ['inconsistent', 'rows.thread.0.last_message_id', 'msg_no'],
  ['inconsistent', 'rows.webhook.0.organization_id', 'org_no'],
  ['malformed', 'rows.message.0.subject', null],
  ['malformed', 'rows.webhook.0.auth_token', 'bad\r\nx-evil: 1'],
  ['malformed', 'clock.now', '2026-02-30T09:00:00Z'],
  ['malformed', 'faults.rules.0.fault', {}],
  ['malformed', 'deliveries.0.url', 'ftp://a.test/'],
  ['malformed', 'assumptions', { 'threads.totl': { assumption: 'page-size', from: 'a file' } }],
])('is refused as %s: %s %j', (code, place, value) => {
  const message = expect.stringContaining(`restored: ${place.replace(/\.(\d+)/g, '[$1]')}`)
  expect(refusalOf(documentWith({ [place]: value }))).toEqual({ code, message })
})

it('has no secret if they are masked', () => {
  const [world] = storyWorlds(1) as [World]
  world.apply({
    type: 'create-webhook',
    url: 'http://ann:pass-word-1@127.0.0.1:9/?token=in-the-url-1',
    events: ['message.received'],
    auth_token: 'token-of-a-webhook',
  })
  world.apply(annsMail({ text: 'The token is token-of-a-webhook.' }))
  const masked = world.snapshot({ secrets: 'masked' })
  expect(JSON.stringify(masked)).not.toMatch(/token-of-a-webhook|pass-word-1|in-the-url-1|key-a/)
  expect(refusalOf(masked)?.code).toBe('masked')
})
