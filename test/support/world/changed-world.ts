import { expect } from 'vitest'
import { SnapshotError } from '../../../src/world/errors.js'
import { checksumOf } from '../../../src/world/snapshot/document.js'
import type { World } from '../../../src/world/world.js'
import { storyWorlds } from './any-story.js'
import { annsMail, everyRow } from './small-world.js'

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
  world.setReadings({ 'threads.total': 'page-size' })
  world.addFault({ status: 503, after: 1, times: 2 })
  return world
}

/**
 * The document of a world in which something of everything has changed. Of its rows, `message[3]` is new in the
 * scenario's `thread[3]`, `message[2]` has the file `attachment[0]`, and `identity[0]` is the scenario's `support`.
 */
export const document: string = JSON.stringify((await changedWorld()).snapshot())

/** Returns the document with other values at places such as `rows.message.0.subject`; undefined omits a value. */
export function documentWith(changes: Readonly<Record<string, unknown>>): object {
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

/** The same, with the checksum of the changed document. */
export function sealedWith(changes: Readonly<Record<string, unknown>>): object {
  const { checksum: _, ...content } = documentWith(changes) as { checksum?: unknown }
  return { ...content, checksum: checksumOf(content) }
}

/** Returns the error for a refused document, which must not change the world; undefined if it is restored. */
export function refusalOf(
  changed: unknown,
  world = storyWorlds(1)[0] as World,
): Pick<SnapshotError, 'code' | 'message'> | undefined {
  world.apply(annsMail({ text: 'Mine' }))
  const state = () => [JSON.stringify(world.snapshot()), everyRow(world), world.journal.commands().length]
  const before = state()
  try {
    world.restore(changed)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(SnapshotError)
    expect(state()).toEqual(before)
    const { code, message } = error as SnapshotError
    return { code, message }
  }
}
