import { defaultReadings } from '../../contract/gaps.js'
import { type Fault, formatInstant, ReadingError, whyNeverHit, withChoices } from '../../world/index.js'
import type { ScenarioTimelineEntry } from '../format/index.js'
import { keyOf, nearestOf, noIdentity, type Path, quoted } from '../problems/problem.js'
import type { Lookups, ThreadWanted } from './lookups.js'
import type { Agent, KeyedMessage, KeyedThread, MessageFilter, Occurrence } from './names.js'

type Action<Name extends keyof ScenarioTimelineEntry> = NonNullable<ScenarioTimelineEntry[Name]>

/** Mail that comes into a mailbox, and the thread it joins there. */
interface Receipt {
  readonly owner: Agent
  readonly thread: KeyedThread | undefined
}

/** What an entry does, with everything found that it refers to. */
export type ResolvedAction =
  | {
      readonly kind: 'receive'
      readonly mail: Action<'receive'>
      readonly receipts: readonly Receipt[]
      /** Whom the mail is addressed to: agents, and addresses outside. */
      readonly to: readonly (Agent | string)[]
    }
  | ({ readonly kind: 'send'; readonly mail: Action<'send'> } & Receipt)
  | { readonly kind: 'mark'; readonly thread: KeyedThread; readonly unread: boolean }
  | { readonly kind: 'update'; readonly owner: Agent; readonly update: Action<'update'> }
  | ResolvedOutcome
  | { readonly kind: 'fault'; readonly fault: Fault | 'clear' }
  | { readonly kind: 'readings'; readonly readings: Action<'readings'> }
  | { readonly kind: 'redeliver'; readonly redeliver: Action<'redeliver'> }

/** What becomes of mail that an agent sent: of one message, or of the latest in a thread. */
export interface ResolvedOutcome {
  readonly kind: 'deliver' | 'bounce'
  readonly mail: KeyedMessage | KeyedThread
  readonly isMessage: boolean
  readonly recipient: Action<'bounce'>['recipient']
}

/** An entry of the timeline, resolved. */
export interface ResolvedEntry extends Occurrence {
  readonly action: ResolvedAction
}

/** Finds what the entries of the timeline refer to; those in which something is wrong are left out. */
export function resolveTimeline(
  lookups: Lookups,
  occurrences: readonly Occurrence[],
  start: number,
): ResolvedEntry[] {
  return occurrences.flatMap((occurrence) => {
    const { entry, path, offset } = occurrence
    if (entry.at !== undefined && offset < 0) {
      lookups.problem([...path, 'at'], `is before the start of the story, ${formatInstant(start, 'seconds')}`)
    }
    const action = new EntryResolver(lookups, occurrence).resolve()
    return action ? [{ ...occurrence, action }] : []
  })
}

/** Resolves what one entry does; undefined where something in it is not found. */
class EntryResolver {
  readonly #lookups: Lookups
  readonly #occurrence: Occurrence

  constructor(lookups: Lookups, occurrence: Occurrence) {
    this.#lookups = lookups
    this.#occurrence = occurrence
  }

  resolve(): ResolvedAction | undefined {
    const { entry, path } = this.#occurrence
    const { receive, send, read, unread, update, deliver, bounce, fault, readings, redeliver } = entry
    this.#lookups.operation(entry.when?.request, [...path, 'when', 'request'])
    if (receive) return this.#receive(receive, [...path, 'receive'])
    if (send) return this.#send(send, [...path, 'send'])
    if (read) return this.#mark(read, false, [...path, 'read'])
    if (unread) return this.#mark(unread, true, [...path, 'unread'])
    if (deliver) return this.#outcome('deliver', deliver, [...path, 'deliver'])
    if (bounce) return this.#outcome('bounce', bounce, [...path, 'bounce'])
    if (fault) return this.#fault(fault, [...path, 'fault'])
    if (readings) return this.#readings(readings, [...path, 'readings'])
    if (redeliver) return { kind: 'redeliver', redeliver }
    if (entry.clear_faults) return { kind: 'fault', fault: 'clear' }
    const owner = this.#lookups.agent(update?.identity, [...path, 'update', 'identity'])
    return update && owner && { kind: 'update', owner, update }
  }

  #receive(mail: Action<'receive'>, path: Path): ResolvedAction | undefined {
    const { to, thread: key, subject } = mail
    const recipients = this.#recipients(to, path)
    if (!recipients) return undefined
    const owners = recipients.flatMap((one) => (typeof one === 'string' ? [] : [one]))
    const couldBegin = subject === undefined
    if (owners.length > 0) {
      const receipts = [...new Set(owners)].map((owner) => {
        const wanted = { key: key ?? '', owner, ownerKey: 'to', couldBegin } as const
        return { owner, thread: key === undefined ? undefined : this.#thread(wanted, [...path, 'thread']) }
      })
      const isComplete = key === undefined || receipts.every(({ thread }) => thread !== undefined)
      return isComplete ? { kind: 'receive', mail, receipts, to: recipients } : undefined
    }
    const receipt = this.#inOwnMailbox(key, undefined, { ownerKey: 'to', couldBegin, path })
    return receipt && { kind: 'receive', mail, receipts: [receipt], to: [receipt.owner] }
  }

  /** Whom mail is addressed to, by the entry or else by its .eml file; undefined where something is wrong. */
  #recipients(to: Action<'receive'>['to'], path: Path): (Agent | string)[] | undefined {
    const { names } = this.#lookups
    const given = to === undefined ? (this.#occurrence.mail?.inFile ?? []) : [to].flat()
    const found = given.map((name) => names.agent(name) ?? name)
    const hasAgent = found.some((one) => typeof one !== 'string')
    // What is in a file and addressed to nobody here goes where the entry says.
    if (to === undefined) return hasAgent ? found : []
    let isRight = true
    for (const [index, one] of found.entries()) {
      const isOutside = typeof one === 'string' && one.lastIndexOf('@') > 0
      if (typeof one !== 'string' || (isOutside && hasAgent)) continue
      isRight = false
      const message = (): string => {
        if (!isOutside) return noIdentity(one, names.handles)
        const addresses = names.agents.map(({ address }) => address)
        return `no agent has the address ${quoted(one)}${nearestOf(one, addresses)}`
      }
      this.#lookups.problem([...path, 'to', ...(typeof to === 'string' ? [] : [index])], message)
    }
    return isRight ? found : undefined
  }

  #send(mail: Action<'send'>, path: Path): ResolvedAction | undefined {
    const { from, thread, subject } = mail
    const owner = this.#lookups.agent(from, [...path, 'from'])
    if (from !== undefined && !owner) return undefined
    const couldBegin = subject === undefined
    const receipt = this.#inOwnMailbox(thread, owner, { ownerKey: 'from', couldBegin, path })
    return receipt && { kind: 'send', mail, ...receipt }
  }

  /** The mailbox that is named, or the one that has the thread, or the only one; and the thread in it. */
  #inOwnMailbox(
    key: string | undefined,
    named: Agent | undefined,
    { path, ...wanted }: Omit<ThreadWanted, 'key' | 'owner'> & { readonly path: Path },
  ): Receipt | undefined {
    if (key !== undefined) {
      const thread = this.#thread({ key, owner: named, ...wanted }, [...path, 'thread'])
      return thread && { owner: thread.owner, thread }
    }
    const owner = named ?? this.#lookups.names.onlyAgent
    if (!owner) {
      const message = 'is missing; expected the handle of an agent, because the scenario has several'
      this.#lookups.problem([...path, wanted.ownerKey], message)
    }
    return owner && { owner, thread: undefined }
  }

  #mark({ thread: key, identity }: Action<'read'>, unread: boolean, path: Path): ResolvedAction | undefined {
    const owner = this.#lookups.agent(identity, [...path, 'identity'])
    if (identity !== undefined && !owner) return undefined
    const thread = this.#thread({ key, owner, ownerKey: 'identity' }, [...path, 'thread'])
    return thread && { kind: 'mark', thread, unread }
  }

  #outcome(
    kind: ResolvedOutcome['kind'],
    outcome: Action<'bounce'>,
    path: Path,
  ): ResolvedOutcome | undefined {
    const { thread: key, identity, message, recipient } = outcome
    this.#checkTurns(recipient, [...path, 'recipient'])
    const owner = this.#lookups.agent(identity, [...path, 'identity'])
    if (identity !== undefined && !owner) return undefined
    const wanted = { key: key ?? '', owner, ownerKey: 'identity' } as const
    const thread = key === undefined ? undefined : this.#thread(wanted, [...path, 'thread'])
    if (key !== undefined && !thread) return undefined
    if (message === undefined) return thread && { kind, mail: thread, isMessage: false, recipient }
    const where = { owner: thread?.owner ?? owner, thread: key }
    const mail = this.#sentMessage(message, where, [...path, 'message'])
    return mail && { kind, mail, isMessage: true, recipient }
  }

  /** Adds a problem where more recipients take turns than there are turns. */
  #checkTurns(recipient: Action<'bounce'>['recipient'], path: Path): void {
    const { times = 1 } = this.#occurrence.entry.repeat ?? {}
    const { length } = [recipient ?? []].flat()
    if (length <= times) return
    const message = `lists ${length} recipients, and it happens ${times === 1 ? 'once' : `${times} times`}`
    this.#lookups.problem(path, `${message}; "repeat: { times: ${length}, every: … }" gives each their turn`)
  }

  #sentMessage(key: string, where: Omit<MessageFilter, 'key'>, path: Path): KeyedMessage | undefined {
    const message = this.#lookups.message(key, where, path)
    if (message?.isSent === false) {
      const what = `the message ${quoted(key)} comes in`
      this.#lookups.problem(path, `${what}; only mail that an agent sends is delivered or bounces`)
    } else this.#checkNotLater(message?.broughtBy, `the message ${quoted(key)} is sent`, path)
    return message
  }

  #thread(wanted: ThreadWanted, path: Path): KeyedThread | undefined {
    const thread = this.#lookups.thread(wanted, path)
    this.#checkNotLater(thread?.begunBy, `the thread ${quoted(wanted.key)} begins`, path)
    return thread
  }

  /** Adds a problem for something that does not happen before this entry does. */
  #checkNotLater(cause: Occurrence | undefined, what: string, path: Path): void {
    if (!cause || cause.offset <= this.#occurrence.offset) return
    const { after, at, when } = cause.entry
    const then = after === undefined ? `at ${at}` : `${after} after the start`
    const moment = when ? `when something else happens` : then
    this.#lookups.problem(path, `${what} later, ${moment}, with ${keyOf(cause.path)}`)
  }

  #fault(fault: Fault, path: Path): ResolvedAction {
    const { handle } = fault
    const owner = this.#lookups.agent(handle, [...path, 'handle'])
    this.#lookups.operation(fault.operation, [...path, 'operation'])
    const never =
      handle === undefined || owner
        ? whyNeverHit(fault, handle === undefined ? [] : [handle], this.#lookups.extensions)
        : undefined
    if (never !== undefined) this.#lookups.problem(path, `this fault can never hit: ${never}`)
    return { kind: 'fault', fault }
  }

  #readings(readings: Action<'readings'>, path: Path): ResolvedAction {
    for (const [gap, reading] of Object.entries(readings)) {
      try {
        withChoices(defaultReadings, { [gap]: reading }, this.#lookups.extensions.gaps)
      } catch (error) {
        if (!(error instanceof ReadingError)) throw error
        this.#lookups.problem([...path, gap], error.message, error.code === 'unknown-gap' ? 'key' : 'value')
      }
    }
    return { kind: 'readings', readings }
  }
}
