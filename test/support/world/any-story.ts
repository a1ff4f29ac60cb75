import fc from 'fast-check'
import type { Fault } from '../../../src/service/faults/fault.js'
import type { MailboxStore } from '../../../src/service/model/mailbox-store.js'
import type { ModelName, Rows } from '../../../src/service/model/rows.js'
import type { InitialState } from '../../../src/service/world/state.js'
import type { TriggeredEntry } from '../../../src/service/world/story.js'
import type { TimelineEntry } from '../../../src/service/world/story-entry.js'
import { World } from '../../../src/service/world/world.js'
import { annsMail, smallBeginning } from './small-world.js'

const minute = 60_000

/** The timeline of these worlds. */
const timeline: TimelineEntry[] = [
  { name: 'at once', after: 0, commands: [annsMail({ text: 'At once', ids: ids('at_once') })] },
  { name: 'mail', after: 20 * minute, commands: [annsMail({ text: 'Hello', ids: ids('timed') })] },
  { name: 'fault', after: 40 * minute, commands: [], fault: { reset: true, probability: 0.5 } },
  { name: 'assumptions', after: 60 * minute, commands: [], assumptions: { 'threads.order': 'created-asc' } },
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

/** One step of a story; `pick` selects among existing rows, and each kind of step uses some of the other fields. */
export interface Step {
  readonly what: keyof typeof steps
  readonly pick: number
  readonly answers?: boolean
  readonly file?: boolean
  readonly hours?: number
  readonly minutes?: number
}

const steps = {
  receive: (world: World, step: Step) => world.apply({ ...annsMail(), ...mailOf(world, step) }),
  send: (world: World, step: Step) =>
    world.apply({ type: 'send-message', to: ['ann@mail.example'], ...mailOf(world, step) }),
  mark: (world: World, { pick }: Step) =>
    world.apply({
      type: 'set-thread-unread',
      thread_id: anyOf(world.store, 'thread', pick).id,
      unread: pick % 3 > 0,
    }),
  rename: (world: World, { pick }: Step) =>
    world.apply({
      type: 'update-identity',
      identity_id: anyOf(world.store, 'identity', pick).id,
      display_name: `Name ${pick}`,
    }),
  'create-agent': (world: World, { pick }: Step) =>
    world.apply({ type: 'create-identity', agent_handle: handles[pick % 4] as string }),
  'delete-agent': (world: World, { pick }: Step) =>
    world.apply({ type: 'delete-identity', identity_id: anyOf(world.store, 'identity', pick).id }),
  subscribe: (world: World) =>
    world.apply({ type: 'create-webhook', url: 'http://127.0.0.1:9/hook', events: ['message.received'] }),
  unsubscribe: (world: World, { pick }: Step) =>
    world.apply({ type: 'delete-webhook', webhook_id: anyOf(world.store, 'webhook', pick).id }),
  'set-assumptions': (world: World, { pick }: Step) =>
    world.setAssumptions({ 'threads.total': pick % 2 === 0 ? 'page-size' : 'all-threads' }),
  wait: (world: World, { minutes = 0 }: Step) => world.clock.advance(minutes * minute),
  'add-fault': (world: World, { pick }: Step) => world.addFault(faults[pick % faults.length]),
  'remove-fault': (world: World, { pick }: Step) => world.faults.remove(`fault_${pick % 4}`),
  request: (world: World, { pick }: Step) => {
    const handle = handles[pick % handles.length]
    world.triggers.noteRequest('threads.list')
    return world.faults.hit({
      operation: 'threads.list',
      method: 'GET',
      path: '/api/v1/mail/threads',
      handle,
      recipients: [],
    })
  },
}

const { receive, send, wait, ...others } = steps
type Kind = Step['what']

/** Any story. */
export const anyStory: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        what: fc.constantFrom<Kind[]>('receive', 'send'),
        pick,
        answers: fc.boolean(),
        file: fc.boolean(),
        hours: fc.constantFrom(0, 0, 5, 3000),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constantFrom<Kind[]>(...(Object.keys(others) as Kind[]), 'request'),
        pick,
      }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant<Kind>('wait'), pick, minutes: fc.nat(50) }) },
  ),
  { maxLength: 30 },
)

/** Performs a step; returns its result as text, which is the same for equal worlds. */
export async function take(world: World, step: Step): Promise<string> {
  try {
    return JSON.stringify(await steps[step.what](world, step)) ?? 'done'
  } catch (error) {
    return String(error)
  }
}

function mailOf({ store, clock }: World, { pick, answers, file: hasFile, hours = 0 }: Step) {
  const identity = anyOf(store, 'identity', pick)
  const messages = [...store.all('message')].filter((row) => row.identity_id === identity.id)
  const answered = answers ? messages[pick % Math.max(1, messages.length)] : undefined
  return {
    identity_id: identity.id,
    subject: 'News',
    text: `Words ${pick}`,
    message_id: `<${pick % 5}@mail.example>`,
    in_reply_to: answered?.id ?? null,
    attachments: hasFile ? [file, { ...file, content: 'Ynll' }] : [],
    at: new Date(clock.now() - hours * 60 * minute).toISOString(),
  }
}

/** Selects a row in the order of ids, since the order of rows is not defined. */
function anyOf<M extends ModelName>(store: MailboxStore, model: M, pick: number): Rows[M] {
  const rows = [...store.all(model)].sort((a, b) => (a.id < b.id ? -1 : 1))
  const row = rows[pick % Math.max(1, rows.length)]
  if (!row) throw new RangeError(`There is no ${model}.`)
  return row
}
