import { expect, it } from 'vitest'
import { annsMail, everyRow } from '../../../../test/support/world/small-world.js'
import { storyBeginning, storyWorlds } from '../../../../test/support/world/story-world.js'
import { digestOf } from '../digest.js'
import type { World } from '../world.js'

const minute = 60_000
const initialState = storyBeginning()
const file = { filename: 'note.txt', content_type: 'text/plain', content: 'aGVsbG8=' }
const idOf = (world: World, handle: string) => world.store.identityBy('handleAnywhere', handle)?.id ?? ''

function request(world: World): unknown {
  world.triggers.noteRequest('threads.list')
  const asked = { operation: 'threads.list', method: 'GET', path: '/api/v1/mail/threads', recipients: [] }
  return world.faults.hit({ ...asked, handle: 'support' })
}

/** Every kind of change, those that a later one depends on first; the second mail has the Message-ID of the first. */
const acts: readonly ((world: World) => unknown)[] = [
  (world) => world.apply(annsMail({ text: 'Hello', message_id: '<1@mail.example>', attachments: [file] })),
  (world) => world.apply({ type: 'delete-identity', identity_id: 'ident_rival' }),
  (world) =>
    world.apply(
      annsMail({ identity_id: 'ident_sales', message_id: '<1@mail.example>', at: '2025-10-05T09:00:00Z' }),
    ),
  (world) =>
    world.apply({
      ...{ type: 'send-message', identity_id: 'ident_support', to: ['ann@mail.example'] },
      ...{ in_reply_to: 'msg_first', attachments: [file, { ...file, content: 'Ynll' }] },
    }),
  (world) => world.apply({ type: 'set-thread-unread', thread_id: 'thrd_refund', unread: false }),
  (world) => world.apply({ type: 'update-identity', identity_id: 'ident_support', display_name: 'New name' }),
  (world) => world.addFault({ reset: true, probability: 0.4 }),
  (world) => world.addFault({ status: 503, after: 1, times: 2 }),
  (world) => world.addFault({ delay: '1s', times: 1, handle: 'support' }),
  request,
  request,
  (world) => world.apply({ type: 'create-identity', agent_handle: 'desk' }),
  (world) => world.apply(annsMail({ identity_id: idOf(world, 'desk'), message_id: '<1@mail.example>' })),
  (world) =>
    world.apply({ type: 'create-webhook', url: 'http://127.0.0.1:9/hook', events: ['message.received'] }),
  (world) => world.clock.advance(50 * minute),
  (world) => world.apply({ type: 'delete-webhook', webhook_id: 'whk_sales' }),
  (world) => world.setAssumptions({ 'threads.total': 'page-size' }),
  (world) => world.faults.remove('fault_1'),
  request,
  request,
  (world) => world.apply({ type: 'delete-identity', identity_id: idOf(world, 'desk') }),
  (world) => world.apply(annsMail({ in_reply_to: '<1@mail.example>', message_id: '<1@mail.example>' })),
  (world) => world.apply({ type: 'create-identity', agent_handle: 'desk' }),
  (world) => world.clock.advance(45 * minute),
  request,
  (world) => world.apply(annsMail({ identity_id: 'ident_sales', text: 'Bye' })),
]

/** The results of lists and look-ups in their order, which a digest does not cover. */
function shown({ store }: World): unknown {
  return ['org_a', 'org_b'].map((organization) => {
    const ids = (['created', 'last-message', 'shuffle'] as const).map((order) =>
      store.threads(organization).page({ order, offset: 0, limit: 1000 }),
    )
    const messages = store.messages(organization)
    const newest = messages.page({ order: 'created', descending: true, offset: 0, limit: 1000 })
    const agents = store.identities(organization).page({ order: 'shuffle', offset: 0, limit: 1000 })
    const named = ['support', 'desk'].map((handle) => store.identityBy('handleAnywhere', handle)?.id)
    const answered = agents.map((agent) => store.messageByMessageId(agent, '<1@mail.example>')?.id)
    return [ids, newest, agents, named, answered, messages.count]
  })
}

it.each(acts.map((_, number) => number))(
  'a world that is restored before change %i equals that of the snapshot, goes on like it, and resets to the start',
  async (number) => {
    const [world, restored, fresh] = storyWorlds(3, initialState) as [World, World, World]
    for (const act of acts.slice(0, number)) await act(world)
    // The earlier state of the restored world does not matter.
    for (const act of number % 2 === 0 ? [] : acts) await act(restored)
    const snapshot = world.snapshot()
    restored.restore(JSON.parse(JSON.stringify(snapshot)))
    expect(shown(restored)).toEqual(shown(world))
    expect(restored.snapshot()).toStrictEqual(snapshot)
    for (const act of acts.slice(number)) {
      expect(JSON.stringify(await act(restored))).toBe(JSON.stringify(await act(world)))
      expect(digestOf(restored)).toBe(digestOf(world))
    }
    expect(shown(restored)).toEqual(shown(world))
    for (const each of [world, restored]) await each.clock.advance(0)
    expect(restored.snapshot()).toEqual(world.snapshot())
    expect(restored.timeline.played).toEqual(world.timeline.played)
    restored.reset()
    for (const each of [fresh, restored]) await each.clock.advance(0)
    expect(restored.snapshot()).toEqual(fresh.snapshot())
    expect(everyRow(restored)).toBe(everyRow(fresh))
  },
)
