/** What a world is, as plainly as it can be said. */
export interface State {
  now: number
  readonly identities: { readonly handle: string; name: string }[]
  /** In the order in which they were begun. */
  readonly threads: Thread[]
  readonly messages: { readonly id: string; readonly thread: string }[]
  readonly webhooks: { readonly id: string; readonly handle: string | null }[]
  readonly faults: Rule[]
  faultsAdded: number
  total: string
  /** How much of the story has happened. */
  played: number
}

/** A thread with what its messages made of it. */
export interface Thread {
  readonly id: string
  readonly handle: string
  readonly subject: string
  unread: boolean
  count: number
  last: number
}

/** A fault that answers with a status. */
export interface StatusFault {
  readonly operation?: 'threads.list' | 'identities.get' | 'webhooks.list'
  readonly handle?: string
  readonly status: number
  readonly after?: number
  readonly times?: number
}

/** A fault that is in force. */
export interface Rule {
  readonly id: string
  readonly fault: StatusFault
  matched: number
  hit: number
}

/** A world of the model: what it is, what it began as, and what its journal has. */
export interface World {
  readonly id: string
  readonly key: string
  readonly start: State
  state: State
  journal: string[]
}

/** Everything there is, and what a client would remember. */
export interface Model {
  readonly worlds: World[]
  /** How many worlds there ever were. */
  made: number
  readonly lostKeys: string[]
  readonly snapshots: { readonly document: unknown; readonly state: State }[]
}

const minute = 60_000

/** What happens by itself in the story, as the scenario and as the model have it. */
export const story = [
  {
    entry: { after: '30m', readings: { 'threads.total': 'page-size' } },
    at: 30 * minute,
    happen: (state: State) => {
      state.total = 'page-size'
    },
  },
  {
    entry: { after: '1h', fault: { operation: 'webhooks.list' as const, status: 503, times: 1 } },
    at: 60 * minute,
    happen: (state: State) => void addFault(state, { operation: 'webhooks.list', status: 503, times: 1 }),
  },
]

/** The instant the story begins. */
export const start = Date.parse('2026-01-05T09:00:00Z')

/** A copy that nobody else changes. */
export function copyOf(state: State): State {
  return structuredClone(state)
}

/** Moves time on, and the story with it. */
export function moveTo(state: State, instant: number): void {
  for (const { at, happen } of story.slice(state.played)) {
    if (start + at > instant) break
    state.played++
    happen(state)
  }
  state.now = instant
}

/** Puts a rule in force. */
export function addFault(state: State, fault: StatusFault): Rule {
  const rule = { id: `fault_${++state.faultsAdded}`, fault, matched: 0, hit: 0 }
  state.faults.push(rule)
  return rule
}

/** The rule that answers a request in the place of its operation. */
export function faultOf(state: State, operation: string, handle: string | undefined): Rule | undefined {
  for (const rule of state.faults) {
    const { fault } = rule
    if ((fault.operation ?? operation) !== operation || (fault.handle ?? handle) !== handle) continue
    rule.matched++
    if (rule.matched <= (fault.after ?? 0) || rule.hit >= (fault.times ?? Number.POSITIVE_INFINITY)) continue
    rule.hit++
    return rule
  }
  return undefined
}

/** Adds a message to a thread that is there, or with one that it begins. */
export function addMail(
  state: State,
  {
    id,
    inbound,
    thread,
  }: { readonly id: string; readonly inbound: boolean; readonly thread: Omit<Thread, 'count'> },
): Thread {
  const known = state.threads.find((one) => one.id === thread.id)
  const grown = known ?? { ...thread, unread: false, count: 0 }
  if (!known) state.threads.push(grown)
  state.messages.push({ id, thread: grown.id })
  grown.unread ||= inbound
  grown.count++
  grown.last = state.now
  return grown
}

/** Removes an agent with all it has. */
export function dismiss(state: State, handle: string): void {
  const threads = state.threads.filter((thread) => thread.handle === handle).map(({ id }) => id)
  remove(state.messages, ({ thread }) => threads.includes(thread))
  remove(state.threads, ({ id }) => threads.includes(id))
  remove(state.webhooks, (webhook) => webhook.handle === handle)
  remove(state.identities, (identity) => identity.handle === handle)
}

/** Removes what fits from a list; whether there was any. */
export function remove<Item>(list: Item[], fits: (item: Item) => boolean): boolean {
  const left = list.filter((item) => !fits(item))
  const found = left.length < list.length
  list.splice(0, list.length, ...left)
  return found
}
