import { createSimulator, defineScenario } from 'agent-mailbox-sim'
import { type RunningServer, startServer } from 'agent-mailbox-sim/server'
import { expect } from 'vitest'
import { ask } from '../../server/control-client.js'
import { askHandlers } from '../transports.js'
import { type Model, type State, start, story, type World } from './state.js'

/** The story that model and server tell. */
const office = defineScenario({
  scenario: 'office',
  start: new Date(start).toISOString(),
  organization: { api_keys: ['office-key'] },
  identities: ['eva', 'tom'].map((handle) => ({
    handle,
    threads: [
      { subject: `For ${handle}`, messages: [{ at: '-1d' }, { at: '-1h', direction: 'outbound' as const }] },
    ],
  })),
  webhooks: [{ url: 'http://127.0.0.1:9/hook', events: ['message.received'], agent_handle: 'eva' }],
  timeline: story.map(({ entry }) => entry),
})

/** A server, which nobody has asked for anything yet. */
export function startOffice(): Promise<RunningServer> {
  return startServer({ scenario: office, port: 0, clock: 'frozen' })
}

/** What the model begins with, read from a simulator of its own. */
export async function firstModel(): Promise<Model> {
  const simulator = await createSimulator({ scenario: office })
  const list = async (path: string) => (await askHandlers(simulator, 'office-key', `/api/v1${path}`)).json()
  const [{ threads }, { messages }] = [await list('/mail/threads'), await list('/mail/messages')]
  const state: State = {
    now: start,
    identities: ['eva', 'tom'].map((handle) => ({ handle, name: handle })),
    threads: threads
      .map((thread: { id: string; subject: string; unread: boolean; last_message_at: string }) => ({
        id: thread.id,
        handle: thread.subject.replace('For ', ''),
        subject: thread.subject,
        unread: thread.unread,
        count: 2,
        last: Date.parse(thread.last_message_at),
      }))
      .sort((one: { handle: string }, other: { handle: string }) => (one.handle < other.handle ? -1 : 1)),
    messages: messages.map(({ id, thread_id }: { id: string; thread_id: string }) => ({
      id,
      thread: thread_id,
    })),
    webhooks: simulator.webhooks.list().map(({ id, agent_handle }) => ({ id, handle: agent_handle ?? null })),
    faults: [],
    faultsAdded: 0,
    total: 'all-matches',
    played: 0,
  }
  const first: World = {
    id: 'world_1',
    key: 'office-key',
    start: state,
    state: structuredClone(state),
    journal: [],
  }
  return { worlds: [first], made: 1, lostKeys: [], snapshots: [] }
}

/** Holds every world against the model: the one that was touched as the control API shows it, too. */
export async function expectSame(
  model: Model,
  server: RunningServer,
  touched: World | undefined,
): Promise<void> {
  const { worlds } = (await ask(server, 'GET', '/worlds')).body
  const ids = worlds.map(({ id, api_key }: { id: string; api_key: string }) => [id, api_key])
  expect(ids).toEqual(model.worlds.map(({ id, key }) => [id, key]))
  for (const world of model.worlds) expect(heldIn(server, world)).toEqual(heldBy(world))
  if (touched && model.worlds.includes(touched)) {
    expect(await shownBy(server, touched)).toEqual(shownOf(touched))
  }
}

function heldIn({ simulator }: RunningServer, { id, state }: World): object {
  const world = simulator.world(id)
  return {
    now: world?.clock.now(),
    counts: world?.summary(),
    identities: world?.identities
      .list()
      .map(({ agent_handle, display_name }) => [agent_handle, display_name]),
    threads: state.threads.map((thread) => {
      const { subject, unread, message_count, last_message_at } = world?.threads.get(thread.id) ?? {}
      return [subject, unread, message_count, last_message_at]
    }),
    webhooks: world?.webhooks.list().map(({ id, agent_handle }) => [id, agent_handle]),
    faults: world?.faults.list(),
    total: world?.readings.current()['threads.total'],
    left: world?.timeline.left,
    journal: world?.journal.exchanges().map(lineOf),
  }
}

function heldBy({ state, journal }: World): object {
  const { identities, threads, webhooks, faults, total } = state
  return {
    now: new Date(state.now).toISOString(),
    counts: countsOf(state),
    identities: identities.map(({ handle, name }) => [handle, name]),
    threads: threads.map(({ subject, unread, count, last }) => {
      return [subject, unread, count, new Date(last).toISOString()]
    }),
    webhooks: webhooks.map(({ id, handle }) => [id, handle]),
    faults,
    total,
    left: story.length - state.played,
    journal,
  }
}

/** What the control API says of a world. */
async function shownBy(server: RunningServer, { id: world }: World): Promise<object> {
  const get = async (path: string) => (await ask(server, 'GET', path, { world })).body
  const { id, now, counts: all } = await get('/world')
  const { deliveries: _, ...counts } = all
  const { identities } = await get('/identities')
  const { webhooks } = await get('/webhooks')
  const { faults } = await get('/faults')
  const { mode } = await get('/clock')
  const { readings } = await get('/readings')
  const { exchanges } = await get('/journal')
  const { left } = await get('/timeline')
  return {
    id,
    now,
    counts,
    mode,
    left,
    handles: identities.map(({ agent_handle }: { agent_handle: string }) => agent_handle),
    webhooks: webhooks.map(({ id: one }: { id: string }) => one),
    faults,
    total: readings['threads.total'],
    journal: exchanges.map(lineOf),
  }
}

function shownOf({ id, state, journal }: World): object {
  return {
    id,
    now: new Date(state.now).toISOString(),
    counts: countsOf(state),
    mode: 'frozen',
    left: story.length - state.played,
    handles: state.identities.map(({ handle }) => handle),
    webhooks: state.webhooks.map((webhook) => webhook.id),
    faults: state.faults,
    total: state.total,
    journal,
  }
}

function countsOf({ identities, threads, messages, webhooks }: State): object {
  return {
    agents: identities.length,
    threads: threads.length,
    messages: messages.length,
    webhooks: webhooks.length,
  }
}

interface Line {
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly status: number
  readonly fault: { readonly id: string } | null
}

/** An exchange as the model keeps it. */
export function lineOf({ operation, method, path, status, fault }: Line): string {
  return `${operation} ${method} ${path} ${status} ${fault?.id ?? '-'}`
}
