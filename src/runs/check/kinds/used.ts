import { noExtensions } from '../../../contract/extensions.js'
import { type AnyOperationName, operations } from '../../../contract/operations.js'
import { parseDuration, parseInstant } from '../../../service/time/time.js'
import type { Exchange } from '../../../service/world/exchange.js'
import {
  type EntryInput,
  type ExpectationInput,
  type FurtherEntry,
  type Moment,
  namedTimeline,
  resolveAssumptions,
  setAssumptions,
} from '../../../story/edits.js'
import type { ScenarioInput } from '../../../story/format/scenario.js'
import type { Story } from '../../../story/story.js'
import type { DisturbedStory, Undisturbed } from '../disturbance.js'

/** Returns how often an agent used each operation, in the order in which it first did. */
export function usedOperations({ exchanges }: Undisturbed): ReadonlyMap<AnyOperationName, number> {
  const counts = new Map<AnyOperationName, number>()
  for (const { operation } of exchanges) {
    if (operation !== null) counts.set(operation, (counts.get(operation) ?? 0) + 1)
  }
  return counts
}

/** Returns the method of an operation of a story, documented or of an extension; undefined if there is none of that name. */
export function methodOf(operation: string, { story }: DisturbedStory): string | undefined {
  const { extensions = noExtensions } = story
  const documented: Readonly<Record<string, { readonly method: string }>> = operations
  return extensions.operations.find(({ id }) => id === operation)?.method ?? documented[operation]?.method
}

/** Returns whether an operation writes. */
export function isWrite(operation: string, story: DisturbedStory): boolean {
  return (methodOf(operation, story) ?? 'GET') !== 'GET'
}

/** Returns the operation by which an agent sent one of its messages; undefined for mail of the story. */
export function sendingOperation({ exchanges }: Undisturbed, exchange: number | null): string | undefined {
  return exchanges.find(({ seq }) => seq === exchange)?.operation ?? undefined
}

/** Returns a document with some assumptions beside those of its story. */
export function assuming(
  document: ScenarioInput,
  story: Story,
  choices: Readonly<Record<string, string>>,
): ScenarioInput {
  return setAssumptions(resolveAssumptions(document, story), choices)
}

const idempotency = 'common.idempotency'

/**
 * Returns a document whose service honours an `Idempotency-Key` where nobody chose otherwise: who sends one with what must not
 * happen twice did what it can.
 */
export function honouringKeys(document: ScenarioInput, { story }: DisturbedStory): ScenarioInput {
  const origins: Readonly<Record<string, string>> = story.origins
  const isFree = story.extensions?.gaps.has(idempotency) && (origins[idempotency] ?? 'default') === 'default'
  return isFree ? assuming(document, story, { [idempotency]: 'replayed' }) : document
}

/** Returns the numbers of the first uses of something that was used so often: at most two. */
export function firstUses(count: number): number[] {
  return [1, 2].filter((nth) => nth <= count)
}

/** Returns whether an agent began to ask again after its first pass, so that it can learn of what comes later. */
export function isRunning({ play }: Undisturbed): boolean {
  return play.agent?.ended !== 'by-itself'
}

/** Returns the number of a request of an operation, from 1, by the number of its exchange. */
export function nthOf(exchanges: readonly Exchange[], seq: number): number {
  const index = exchanges.findIndex((one) => one.seq === seq)
  const operation = exchanges[index]?.operation
  return exchanges.slice(0, index + 1).filter((one) => one.operation === operation).length
}

/** Returns the handles of the agents whose mail is listed; all of the story if the agent asks for the mail of all. */
export function listedHandles({ exchanges, document }: Undisturbed): string[] {
  const all = (document.identities ?? []).map(({ handle }) => handle)
  const asked = exchanges.flatMap(({ operation, query }) => {
    const agent = operation === 'threads.list' ? query['agent'] : undefined
    return typeof agent === 'string' ? [agent.replace(/^@/, '')] : []
  })
  const listed = all.filter((handle) => asked.includes(handle))
  return listed.length > 0 ? listed : all
}

/** Returns the largest page that an agent asked for with an operation, at most a hundred; `otherwise` if it named no limit. */
export function pageOf(
  { exchanges }: Undisturbed,
  operation: 'threads.list' | 'messages.list',
  otherwise: number,
): number {
  const limits = exchanges.flatMap((one) => {
    const limit = one.operation === operation ? Number(one.query['limit'] ?? otherwise) : Number.NaN
    return Number.isInteger(limit) && limit > 1 ? [limit] : []
  })
  return Math.min(100, Math.max(0, ...limits))
}

/** An entry of a timeline that brings mail at a time that is known. */
interface TimedMail {
  readonly name: string
  /** Milliseconds after the start. */
  readonly after: number
  readonly entry: FurtherEntry & { readonly receive: NonNullable<EntryInput['receive']> }
}

/** Returns the entries of a story that bring mail once, at a time, in their order in time. */
export function timedMail({ document, story: { start } }: DisturbedStory): TimedMail[] {
  const timed = namedTimeline(document).flatMap((entry): TimedMail[] => {
    const { key, receive, when, repeat, after, at } = entry
    if (!receive || when || repeat) return []
    const instant = at === undefined ? undefined : parseInstant(at)
    const offset = instant === undefined ? parseDuration(after ?? '0s') : instant - start
    return [{ name: key, after: offset ?? 0, entry: { ...entry, receive } }]
  })
  return timed.sort((one, other) => one.after - other.after)
}

/** Returns a time in the form of a timeline. */
export function afterMs(milliseconds: number): Pick<Moment, 'after'> {
  return { after: `${Math.round(milliseconds)}ms` }
}

/** Returns the moment right before an operation's nth request gets its response. */
export function atRequest(operation: string, nth: number): Moment {
  return { when: { request: operation as never, nth } }
}

/**
 * Returns whether an expectation is about what an agent has done in the end: what it sent, what it left in the mailbox, and
 * that it leaked nothing; not how fast or by which requests.
 */
export function isAboutTheEnd(expectation: ExpectationInput): boolean {
  const { leak, sent, has, within, before } = expectation
  if (leak !== undefined) return true
  return (sent ?? has) !== undefined && within === undefined && before === undefined
}

/** Returns the number in a part of an id, from 1; undefined if it is none. */
export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined
}
