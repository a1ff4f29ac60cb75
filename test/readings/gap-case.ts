import type { GapId, ReadingOf, Readings } from '../../src/contract/gaps.js'
import type { Mailbox, Sending } from '../conformance/mailbox.js'
import type { Answer } from '../conformance/transport.js'

/** A gap whose readings are visible in answers; those of events are visible in deliveries. */
export type RequestGap = Exclude<GapId, `events.${string}`>

/** A request, sent with the key of the first organization by default. */
export interface Asked extends Sending {
  /** `GET` by default. */
  readonly method?: string
  readonly path: string
}

/** A request, or a function that makes it from the mailbox. */
export type Asking = Asked | ((mailbox: Mailbox) => Promise<Asked>)

/** The values to compare an answer with. */
export interface Scene {
  readonly mailbox: Mailbox
  /** The answer to the request before; undefined if the case has none. */
  readonly before: Answer | undefined
}

/** Asserts what a client sees. */
export type See = (answer: Answer, scene: Scene) => void | Promise<void>

/** How a client meets a gap, and the result under each reading. */
export interface GapCase<G extends GapId> {
  /** Readings of other gaps that this case requires. */
  readonly readings?: Partial<Omit<Readings, G>>
  /** Prepares the mailbox. */
  readonly prepare?: (mailbox: Mailbox) => Promise<void>
  /** A request sent before, for comparison. */
  readonly before?: Asked
  /** Whose answer relies on the gap. */
  readonly request: Asking
  /** Asserts what a client sees, reading by reading. */
  readonly sees: { readonly [R in ReadingOf<G>]: See }
  /** Similar requests whose answers do not rely on the gap. */
  readonly quiet: readonly [Asking, ...Asking[]]
}

/** A case for every gap; a missing gap or reading does not compile. */
export type GapCases = { readonly [G in RequestGap]: GapCase<G> }

/** Sends a request. */
export async function ask(mailbox: Mailbox, asking: Asking): Promise<Answer> {
  const { method = 'GET', path, ...sending } = typeof asking === 'function' ? await asking(mailbox) : asking
  return mailbox.send(method, path, sending)
}
