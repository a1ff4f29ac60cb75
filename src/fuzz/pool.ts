import { type GapId, gapIds, readingsOf } from '../contract/gaps.js'
import type { ScenarioInput } from '../scenario/index.js'
import { namesOfEntries } from '../scenario/resolve/names.js'
import type { Fault, InitialState } from '../world/index.js'
import {
  type MailForm,
  onlyReads,
  type PlanElement,
  type RequestNumber,
  type Vary,
  type WrittenEntry,
} from './elements.js'
import type { PlayedStory, ReliedReading } from './facts.js'
import { unnamedThreads } from './fuzzed-scenario.js'

/** The elements that plans are made of, the simplest of each kind first: shrinking goes towards the first. */
export type Pool = Readonly<Record<Vary, readonly PlanElement[]>>

/**
 * Gaps whose readings a careful client copes with without knowing them. The others are for `explore`, which tries them one
 * by one: they are about the form of a request or an event, which a client can only guess, or take minutes.
 */
const varied: ReadonlySet<GapId> = new Set<GapId>([
  'threads.total',
  'threads.order',
  'threads.snippet',
  'threads.unread-after-read',
  'threads.unread-after-reply',
  'messages.order',
  'messages.total',
  'messages.offset',
  'messages.limit-maximum',
  'messages.headers',
  'messages.empty-body',
  'format.timestamps',
  'webhooks.order',
  'events.duplicates',
  'events.order',
])

/** What the elements of a scenario depend on. */
export interface PoolFacts {
  readonly document: ScenarioInput
  readonly initialState: InitialState
  /** The run without changes. */
  readonly base: PlayedStory
  /** What it may rely on; all that could matter to its operations where that is not known. */
  readonly relied?: readonly ReliedReading[]
}

/** Returns the elements that may matter to a client, by what it did without changes. */
export function poolOf(facts: PoolFacts): Pool {
  const moments = momentsOf(facts.base)
  return {
    readings: readingElements(facts),
    faults: faultElements(facts.base),
    mail: mailElements(facts, moments),
    sizes: sizeElements(facts),
    timing: timingElements(facts, moments),
    deliveries: deliveryElements(facts, moments),
  }
}

/** Returns the elements that may matter to any client of a scenario, of whose requests nothing is known. */
export function anyPool({ document, initialState }: Pick<PoolFacts, 'document' | 'initialState'>): Pool {
  const reads = ['threads.list', 'messages.list', 'identities.get'] as const
  const base = {
    passed: true,
    ended: true,
    why: null,
    verdicts: [],
    requests: 0,
    operations: new Map(reads.map((name) => [name, 3])),
    asked: [],
    repeats: 0,
    limits: new Set([50]),
    agents: new Set<string>(),
    relied: [],
    faults: new Set<string>(),
    happened: new Set<string>(),
    writes: [],
    repeatedWrites: false,
    deliveries: [],
    wallMs: 0,
  }
  const pool = poolOf({ document, initialState, base })
  const hasReceivers = (document.webhooks ?? []).length > 0
  const again = [1, 2].map((nth) => {
    const event = 'message.received' as const
    return { vary: 'deliveries', when: { delivery: event, nth }, event, nth: 1 } as const
  })
  const late = lateElements({ document, initialState, base })
  return hasReceivers ? { ...pool, deliveries: [...again, ...late] } : pool
}

/** The requests that something may happen at: the first few of each operation, and the last. */
function momentsOf({ operations: met }: PlayedStory): RequestNumber[] {
  return [...met].flatMap(([request, count]) => {
    const numbers = new Set([2, 1, 3, 4, count].filter((nth) => nth <= count + 1))
    return [...numbers].map((nth) => ({ request, nth }))
  })
}

function readingElements({ initialState, base, relied }: PoolFacts): PlanElement[] {
  const { readings, origins, timeline } = initialState
  const told = new Set(timeline.flatMap((entry) => Object.keys(entry.readings ?? {})))
  // What the story chooses itself belongs to it.
  const free = (gap: GapId): boolean => {
    return varied.has(gap) && !origins[gap].startsWith('scenario') && !told.has(gap)
  }
  const found = (relied ?? base.relied).flatMap(({ gap, instead }) => {
    return instead.map((reading) => ({ vary: 'readings' as const, gap, reading }))
  })
  const matters = [...new Map(found.map((one) => [`${one.gap}=${one.reading}`, one])).values()]
  const known = new Set(matters.map(({ gap, reading }) => `${gap}=${reading}`))
  // Others may come to matter under another element.
  const parts = new Set([...base.operations.keys()].map((name) => name.split('.')[0]))
  const others = gapIds.flatMap((gap) => {
    if (!parts.has(gap.split('.')[0] as string) && !gap.startsWith('events.')) return []
    return readingsOf(gap)
      .filter(({ name }) => name !== readings[gap] && !known.has(`${gap}=${name}`))
      .map(({ name }) => ({ vary: 'readings' as const, gap, reading: name }))
  })
  const isMet = base.deliveries.length > 0
  return [...matters, ...others].filter(({ gap }) => free(gap) && (isMet || !gap.startsWith('events.')))
}

/** What faults do to answers, the most usual first. */
export const faultEffects: readonly Omit<Fault, 'operation'>[] = [
  { status: 503, times: 1 },
  { status: 503, retry_after: 1, times: 1 },
  { status: 429, retry_after: 1, times: 1 },
  { status: 500, times: 1 },
  { status: 503 },
  { status: 503, retry_after: 1, times: 2 },
  { reset: true, times: 1 },
  { malformed: true, times: 1 },
  { empty: true, times: 1 },
  { truncate: 20, times: 1 },
  { delay: '10ms', times: 1 },
  { drip: '10ms', times: 1 },
  { status: 500 },
]

function faultElements({ operations: met }: PlayedStory): PlanElement[] {
  const places = [...met].flatMap(([request, count]) => {
    const numbers = new Set([1, 2, 3, count].filter((nth) => nth <= count))
    return [...numbers].map((nth) => ({ request, nth }))
  })
  return faultEffects.flatMap((effect) => {
    return places.map((when) => {
      return { vary: 'faults', when, fault: { operation: when.request, ...effect } as Fault } as const
    })
  })
}

/** Forms of mail that come as a whole, and begin a thread. */
type BegunForm = 'encoded' | 'answer-first'

const wholeMails: Readonly<Record<BegunForm, string>> = {
  encoded: [
    'From: =?utf-8?Q?Kim_=22K=22_Park=2C_=E6=9D=B1=E4=BA=AC?= <kim@elsewhere.example>',
    'Message-ID: <encoded@elsewhere.example>',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Gr=FC=DFe, and =',
    'a broken line.',
  ].join('\n'),
  'answer-first': [
    'From: Kim Park <kim@elsewhere.example>',
    'Subject: Re: A question on its way',
    'Message-ID: <answer@elsewhere.example>',
    'In-Reply-To: <question@elsewhere.example>',
    '',
    'I have found it meanwhile.',
  ].join('\n'),
}

/** The bodies of mail, by what is special about it. */
export const mailBodies: Readonly<
  Record<Exclude<MailForm, 'again' | 'many' | 'late' | BegunForm>, NonNullable<WrittenEntry['receive']>>
> = {
  plain: { text: 'Is there any news? I would like to know how this goes on.' },
  'other-address': { from: 'Kim Park <kim@elsewhere.example>', text: 'I write from another address.' },
  empty: { text: '' },
  'html-only': { html: '<p>Is there <b>any</b> news?</p>' },
  odd: { text: 'Zażółć gęślą jaźń — 東京 😀 \u202Eabc\u202C e\u0301 {} <>&"' },
  huge: { text: '{{lorem.words(4000)}}' },
}

function mailElements(facts: PoolFacts, moments: readonly RequestNumber[]): PlanElement[] {
  const lists = moments.filter(({ request }) => request === 'threads.list' || request === 'messages.list')
  // When mail comes matters where it moves threads; what is in it matters as soon as it is there.
  const [first] = lists
  const early = lists.filter(({ request, nth }) => request === first?.request && nth <= 2)
  const begun = { subject: 'A question about something else', from: 'Kim Park <kim@elsewhere.example>' }
  const limit = largestLimit(facts.base)
  return identitiesOf(facts).flatMap(({ handle: to, threads = [] }) => {
    const keyed = threads.flatMap(({ key }) => (key === undefined ? [] : [key])).slice(0, 4)
    const places = [...new Set([-1, limit + 1, 2, 1])].map((place) => ({ to, place }))
    const targets = [...places, { to, ...begun }, ...keyed.map((thread) => ({ to, thread }))]
    const single = (Object.keys(mailBodies) as (keyof typeof mailBodies)[]).flatMap((form) => {
      const isMoving = form === 'plain' || form === 'other-address'
      return targets.flatMap((target) => {
        const receive = { ...target, ...mailBodies[form] }
        return (isMoving ? lists : early).map((when) => ({ vary: 'mail', when, form, receive }) as const)
      })
    })
    const again = lists.flatMap((when) =>
      places.map(
        (place) => ({ vary: 'mail', when, form: 'again', receive: { ...place, again: true } }) as const,
      ),
    )
    const times = Math.min(limit, mostAtOnce) + 1
    const receive = { to, ...begun, ...mailBodies.plain }
    const many = lists.map((when) => ({ vary: 'mail', when, form: 'many', times, receive }) as const)
    const late = targets.flatMap((target) => {
      const sent = { at: '-400d', ...mailBodies.plain }
      return early.map(
        (when) => ({ vary: 'mail', when, form: 'late', receive: { ...target, ...sent } }) as const,
      )
    })
    const whole = (Object.keys(wholeMails) as BegunForm[]).flatMap((form) => {
      const times = form === 'answer-first' ? lists : early
      return times.map(
        (when) => ({ vary: 'mail', when, form, receive: { to, eml: wholeMails[form] } }) as const,
      )
    })
    return [...single, ...again, ...many, ...late, ...whole]
  })
}

/** Mail that comes in at one moment; more of it says nothing new. */
const mostAtOnce = 50

function largestLimit({ limits }: PlayedStory): number {
  return Math.min(100, Math.max(1, ...[...limits].filter((limit) => limit > 1)))
}

/** The identities whose mail the client lists: of the others it hears nothing. */
function identitiesOf({ document, base: { agents } }: PoolFacts): NonNullable<ScenarioInput['identities']> {
  const all = document.identities ?? []
  const listed = all.filter(({ handle }) => agents.has(handle))
  return (listed.length > 0 ? listed : all).slice(0, 3)
}

function sizeElements(facts: PoolFacts): PlanElement[] {
  const { initialState, base } = facts
  if (!base.operations.has('threads.list')) return []
  const limits = [...base.limits].filter((limit) => limit > 1 && limit <= 100)
  const edges = [0, ...limits.flatMap((limit) => [limit - 1, limit, limit + 1, 2 * limit])]
  const wanted = [...new Set(edges)].sort((a, b) => a - b)
  const rows = [...initialState.base.database.all('thread')]
  const owners = new Map(
    [...initialState.base.database.all('identity')].map((row) => [row.agent_handle, row.id]),
  )
  return identitiesOf(facts).flatMap((identity) => {
    const { handle } = identity
    const id = owners.get(handle)
    const present = rows.filter(({ identity_id }) => identity_id === id).length
    // Threads that others refer to stay, so nothing at all may mean those alone.
    const least = present - (identity.generate?.threads ?? 0) - unnamedThreads(identity)
    const counts = new Set(wanted.map((threads) => Math.max(threads, least)))
    counts.delete(present)
    return [...counts].map((threads) => {
      return { vary: 'sizes', identity: handle, threads, added: threads - present } as const
    })
  })
}

const movable = ['receive', 'update', 'readings', 'fault', 'read', 'unread'] as const

/**
 * The requests that an entry may happen at, counted from its time: none before that, when a client may not yet look for
 * anything new, and none of the last, after which it may have ended; all where nothing is known of its requests.
 */
function laterMoments(
  after: number,
  { asked }: PlayedStory,
  moments: readonly RequestNumber[],
): readonly RequestNumber[] {
  if (asked.length === 0) return moments
  const later = asked.filter((one) => one.after >= after)
  const counts = new Map<string, number>()
  return later.slice(0, Math.ceil(later.length / 2)).flatMap(({ request }) => {
    const nth = (counts.get(request) ?? 0) + 1
    counts.set(request, nth)
    return nth <= 4 ? [{ request, nth }] : []
  })
}

function timingElements(
  { document, initialState, base }: PoolFacts,
  moments: readonly RequestNumber[],
): PlanElement[] {
  const isTimed = initialState.expectations.some((one) => {
    return 'window' in one && (one.window.after !== null || one.window.before !== null)
  })
  if (isTimed) return []
  const timeline = document.timeline ?? []
  const names = namesOfEntries(timeline)
  const free = timeline.flatMap((entry, place) => {
    const isPlain = entry.key === undefined && entry.repeat === undefined && entry.when === undefined
    if (!isPlain || !movable.some((name) => entry[name] !== undefined)) return []
    return [{ entry: place, name: names[place] as string }]
  })
  const afters = new Map(initialState.timeline.map(({ name, after }) => [name, after]))
  const moved = free.flatMap((one) => {
    const times = laterMoments(afters.get(one.name) ?? 0, base, moments)
    return times.map((when) => ({ vary: 'timing', ...one, when }) as const)
  })
  const paired = free.slice(0, -1).flatMap((one, index) => {
    const other = free[index + 1] as (typeof free)[number]
    return (['swapped', 'together'] as const).map((how) => ({ vary: 'timing', ...one, how, other }) as const)
  })
  return [...moved, ...paired]
}

/** Later deliveries than these say nothing of their order any more. */
const longestDelay = 60_000

/** Receivers that are told of an entry after they were told of the next one, or of the last one late. */
function lateElements({ document, initialState }: PoolFacts): PlanElement[] {
  const timeline = document.timeline ?? []
  const places = new Map(namesOfEntries(timeline).map((name, place) => [name, place]))
  const told = initialState.timeline.flatMap((one) => {
    const entry = places.get(one.name) ?? -1
    const { receive, deliver, bounce, repeat, event_delay } = timeline[entry] ?? {}
    const isPlain = repeat === undefined && event_delay === undefined
    return isPlain && (receive ?? deliver ?? bounce) ? [{ entry, name: one.name, after: one.after }] : []
  })
  return told.flatMap(({ after, ...named }, index) => {
    const gap = (told[index + 1]?.after ?? after) - after
    if (gap > longestDelay) return []
    return [{ vary: 'deliveries', how: 'late', ...named, delay: `${(gap + 5_000) / 1000}s` } as const]
  })
}

function deliveryElements(facts: PoolFacts, moments: readonly RequestNumber[]): PlanElement[] {
  const { base } = facts
  const reads = moments.filter(({ request, nth }) => onlyReads(request) && nth <= 3)
  const received = base.deliveries.filter(({ status }) => status === 'succeeded')
  const counts = new Map<string, number>()
  const again = received.flatMap(({ event: { type } }): PlanElement[] => {
    const nth = (counts.get(type) ?? 0) + 1
    counts.set(type, nth)
    if (nth > 3) return []
    const triggers = [{ delivery: type, nth }, { delivery: type, nth: nth + 1 }, ...reads]
    return triggers
      .filter((when) => !('delivery' in when) || when.nth <= received.length)
      .map((when) => ({ vary: 'deliveries', when, event: type, nth }) as const)
  })
  return received.length > 0 ? [...again, ...lateElements(facts)] : []
}
