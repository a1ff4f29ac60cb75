import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { annsMail, smallWorld, start } from '../../../../test/support/world/small-world.js'
import type { MessageRow } from '../../model/rows.js'
import { formatInstant } from '../../time/time.js'
import type { World } from '../world.js'

const minute = 60_000

/** A change of one of a few threads. */
type Event =
  | { readonly kind: 'inbound' | 'outbound'; readonly thread: number; readonly minute: number }
  | { readonly kind: 'mark'; readonly thread: number; readonly unread: boolean }

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('inbound', 'outbound'),
    thread: fc.nat(2),
    minute: fc.integer({ min: -3, max: 3 }),
  }),
  fc.record({ kind: fc.constant('mark'), thread: fc.nat(2), unread: fc.boolean() }),
)

/** Returns a world after these events, and the events of each new thread. */
function worldAfter(events: readonly Event[]) {
  const world = smallWorld()
  const ids: (string | undefined)[] = []
  const history = new Map<string, Event[]>()
  for (const happened of events) {
    const thread_id = ids[happened.thread]
    const id = happen(world, happened, thread_id)
    if (id === undefined) continue
    ids[happened.thread] = id
    history.set(id, [...(history.get(id) ?? []), happened])
  }
  return { world, history }
}

function happen(world: World, happened: Event, thread_id: string | undefined): string | undefined {
  if (happened.kind === 'mark') {
    if (thread_id === undefined) return undefined
    return world.apply({ type: 'set-thread-unread', thread_id, unread: happened.unread }).id
  }
  const at = formatInstant(start + happened.minute * minute)
  const where = thread_id === undefined ? { at } : { at, thread_id }
  if (happened.kind === 'inbound') return world.apply(annsMail(where)).thread.id
  const sent = { identity_id: 'ident_support', to: ['ann@shop.example'], ...where }
  return world.apply({ type: 'send-message', ...sent }).thread.id
}

/** Computes the facts of a thread from its messages and events. */
function factsOf(messages: readonly MessageRow[], events: readonly Event[]) {
  const inOrder = messages.toSorted((a, b) => a.created_at - b.created_at || a.ordinal - b.ordinal)
  const added = messages.toSorted((a, b) => a.ordinal - b.ordinal)
  let [unread, answered] = [false, false]
  for (const happened of events) {
    unread = happened.kind === 'mark' ? happened.unread : unread || happened.kind === 'inbound'
    answered = happened.kind === 'outbound'
  }
  return {
    unread,
    answered,
    message_count: messages.length,
    first_message_id: added[0]?.id,
    last_message_id: inOrder.at(-1)?.id,
    last_message_at: inOrder.at(-1)?.created_at,
    created_at: added[0]?.created_at,
  }
}

describe('the facts of a thread', () => {
  it('follow from its messages after any events in any order', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 25 }), (events) => {
        const { world, history } = worldAfter(events)
        for (const [id, story] of history) {
          const messages = [...world.store.all('message')].filter(({ thread_id }) => thread_id === id)
          expect(world.store.get('thread', id)).toMatchObject(factsOf(messages, story))
          expect(world.store.messages(id).count).toBe(messages.length)
        }
        expect(world.store.threads('ident_support').count).toBe(history.size + 1)
      }),
    )
  })
})
