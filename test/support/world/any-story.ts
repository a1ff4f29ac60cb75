import fc from 'fast-check'
import type { MailboxStore, ModelName, Rows } from '../../../src/model/index.js'
import type { Fault } from '../../../src/world/faults/fault.js'
import type { TimelineEntry, TriggeredEntry } from '../../../src/world/timeline.js'

import { World } from '../../../src/world/world.js'
import type { InitialState } from '../../../src/world/world-state.js'
import { annsMail, smallBeginning } from './small-world.js'

const minute = 60_000

/** The timeline of these worlds. */
const timeline: TimelineEntry[] = [
  { name: 'at once', after: 0, commands: [annsMail({ text: 'At once', ids: ids('at_once') })] },
  { name: 'mail', after: 20 * minute, commands: [annsMail({ text: 'Hello', ids: ids('timed') })] },
  { name: 'fault', after: 40 * minute, commands: [], fault: { reset: true, probability: 0.5 } },
  { name: 'readings', after: 60 * minute, commands: [], readings: { 'threads.order': 'created-asc' } },
  { name: 'more mail', after: 90 * minute, commands: [annsMail({ text: 'Bye', ids: ids('late') })] },
]

/** The entries of these worlds that requests trigger. */
const triggered: TriggeredEntry[] = [
  { name: 'second', when: { request: 'threads.list', nth: 2 }, commands: [annsMail({ ids: ids('second') })] },
  {
    name: 'fourth',
    when: { request: 'threads.list', nth: 4 },
    commands: [],
    fault: { status: 503, times: 1 },
  },
]

function ids(name: string): { message: string; thread: string } {
  return { message: `msg_${name}`, thread: `thrd_${name}` }
}

/** Returns the initial state of these worlds: the small base with a timeline. */
export function storyBeginning(): InitialState {
  return smallBeginning({ timeline, triggered })
}

/** Creates worlds with that initial state over the same base. */
export function storyWorlds(count: number, initialState = storyBeginning()): World[] {
  return Array.from({ length: count }, (_, index) => new World(`world_${index + 1}`, initialState, 'frozen'))
}

const faults: Fault[] = [
  { reset: true, probability: 0.4 },
  { status: 503, after: 1, times: 2 },
  { delay: '1s', times: 1, handle: 'support' },
]

const handles = ['support', 'sales', 'desk', 'shop'] as const
const file = { filename: 'note.txt', content_type: 'text/plain', content: 'aGVsbG8=' }
const pick = fc.nat(1000)

/** One step of a story; the numbers select among existing rows. */
export type Step = { readonly pick: number } & (
  | {
      readonly what: 'receive' | 'send'
      readonly answers: boolean
      readonly file: boolean
      readonly hours: number
    }
  | { readonly what: 'mark' | 'rename' | 'create-agent' | 'delete-agent' }
  | { readonly what: 'subscribe' | 'unsubscribe' | 'read-otherwise' }
  | { readonly what: 'disturb' | 'undisturb' | 'request' }
  | { readonly what: 'wait'; readonly minutes: number }
)

/** Any story. */
export const anyStory: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        what: fc.constantFrom('receive' as const, 'send' as const),
        pick,
        answers: fc.boolean(),
        file: fc.boolean(),
        hours: fc.constantFrom(0, 0, 5, 3000),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constantFrom(
          ...(['mark', 'rename', 'create-agent', 'delete-agent', 'subscribe', 'unsubscribe'] as const),
          ...(['read-otherwise', 'disturb', 'undisturb', 'request', 'request'] as const),
        ),
        pick,
      }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('wait' as const), pick, minutes: fc.nat(50) }) },
  ),
  { maxLength: 30 },
)

/** Performs a step; returns its result as text, which is the same for equal worlds. */
export async function take(world: World, step: Step): Promise<string> {
  try {
    return JSON.stringify(await perform(world, step)) ?? 'done'
  } catch (error) {
    return String(error)
  }
}

function perform(world: World, step: Step): unknown {
  const { store } = world
  switch (step.what) {
    case 'receive':
    case 'send':
      return addMail(world, step)
    case 'mark':
      return world.apply({
        type: 'set-thread-unread',
        thread_id: anyOf(store, 'thread', step.pick).id,
        unread: step.pick % 3 > 0,
      })
    case 'rename':
      return world.apply({
        type: 'update-identity',
        identity_id: anyOf(store, 'identity', step.pick).id,
        display_name: `Name ${step.pick}`,
      })
    case 'create-agent':
      return world.apply({ type: 'create-identity', agent_handle: handles[step.pick % 4] as string })
    case 'delete-agent':
      return world.apply({ type: 'delete-identity', identity_id: anyOf(store, 'identity', step.pick).id })
    case 'subscribe':
      return world.apply({
        type: 'create-webhook',
        url: 'http://127.0.0.1:9/hook',
        events: ['message.received'],
      })
    case 'unsubscribe':
      return world.apply({ type: 'delete-webhook', webhook_id: anyOf(store, 'webhook', step.pick).id })
    case 'read-otherwise':
      return world.setReadings({ 'threads.total': step.pick % 2 === 0 ? 'page-size' : 'all-threads' })
    case 'wait':
      return world.clock.advance(step.minutes * minute)
    default:
      return disturb(world, step)
  }
}

function disturb(world: World, { what, pick }: Pick<Step, 'what' | 'pick'>): unknown {
  if (what === 'disturb') return world.addFault(faults[pick % faults.length])
  if (what === 'undisturb') return world.faults.remove(`fault_${pick % 4}`)
  const handle = handles[pick % handles.length]
  const path = '/api/v1/mail/threads'
  world.triggers.noteRequest('threads.list')
  return world.faults.hit({ operation: 'threads.list', method: 'GET', path, handle })
}

function addMail(world: World, step: Extract<Step, { hours: number }>): unknown {
  const identity = anyOf(world.store, 'identity', step.pick)
  const messages = [...world.store.all('message')].filter((row) => row.identity_id === identity.id)
  const answered = step.answers ? messages[step.pick % Math.max(1, messages.length)] : undefined
  const mail = {
    identity_id: identity.id,
    subject: 'News',
    text: `Words ${step.pick}`,
    message_id: `<${step.pick % 5}@mail.example>`,
    in_reply_to: answered?.id ?? null,
    attachments: step.file ? [file, { ...file, content: 'Ynll' }] : [],
    at: new Date(world.clock.now() - step.hours * 60 * minute).toISOString(),
  }
  if (step.what === 'send') return world.apply({ type: 'send-message', to: ['ann@mail.example'], ...mail })
  return world.apply({ ...annsMail(), ...mail })
}

/** Selects a row in the order of ids, since the order of rows is not defined. */
function anyOf<M extends ModelName>(store: MailboxStore, model: M, pick: number): Rows[M] {
  const rows = [...store.all(model)].sort((a, b) => (a.id < b.id ? -1 : 1))
  const row = rows[pick % Math.max(1, rows.length)]
  if (!row) throw new RangeError(`There is no ${model}.`)
  return row
}
