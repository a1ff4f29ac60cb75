import { counted } from '../../contract/counted.js'
import { formatExchange, type Mismatch } from '../matching.js'
import type { Simulator } from '../simulator.js'

/** The verdict of a matcher; the message is shown where it is not what was expected. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/** A thing with the values in which it differs from what is wanted. */
export interface Judged<Thing> {
  readonly thing: Thing
  readonly mismatches: readonly Mismatch[]
}

/** Compares each thing with what is wanted. */
export function judge<Thing>(
  things: readonly Thing[],
  mismatchesOf: (thing: Thing) => readonly Mismatch[],
): { readonly judged: readonly Judged<Thing>[]; readonly fitting: readonly Judged<Thing>[] } {
  const judged = things.map((thing) => ({ thing, mismatches: mismatchesOf(thing) }))
  return { judged, fitting: judged.filter(({ mismatches }) => mismatches.length === 0) }
}

/** Tells whether as many fit as are wanted: exactly `times`, or at least one. */
export function isWantedNumber(fitting: number, times: number | undefined): boolean {
  return times === undefined ? fitting > 0 : fitting === times
}

/** Describes how many are expected: `a request`, `no request`, `exactly 2 requests`, `not exactly 2 requests`. */
export function describeNumber(
  pass: boolean,
  times: number | undefined,
  one: string,
  many = `${one}s`,
): string {
  if (times === undefined) return `${pass ? 'no' : 'a'} ${one}`
  return `${pass ? 'not ' : ''}exactly ${counted(times, one, many)}`
}

/** Describes how many fit: `none fits`, `1 fits`, `2 fit`. */
export function describeFitting(fitting: number): string {
  return fitting === 0 ? 'none fits' : `${fitting} ${fitting === 1 ? 'fits' : 'fit'}`
}

/** Formats a thing with a mark that tells whether it fits, and lines about it. */
export function formatJudged(title: string, fits: boolean, lines: readonly string[]): string {
  return [`${fits ? '✓' : '✗'} ${title}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

/** Masks the secrets of its world in the message of a matcher. */
export function masked<Arguments extends readonly unknown[]>(
  matcher: (received: unknown, ...args: Arguments) => MatcherResult,
): (received: unknown, ...args: Arguments) => MatcherResult {
  return (received, ...args) => {
    const { pass, message } = matcher(received, ...args)
    return { pass, message: () => (received as Simulator).masker.text(message()) }
  }
}

/** Returns the simulator a matcher was given. @throws TypeError when it is something else */
export function simulatorIn(received: unknown, matcher: string): Simulator {
  const { journal, threads, reliances } = (received ?? {}) as Partial<Simulator>
  if (journal && threads && typeof reliances === 'function') return received as Simulator
  const given = received === null ? 'null' : typeof received
  throw new TypeError(`expect(mailbox).${matcher}() looks at a simulator; it was given ${given}.`)
}

/** Indents the first few blocks of text, and says how many there are besides. */
export function listed(blocks: readonly string[], shown: number): string {
  const rest = blocks.length - shown
  return [...blocks.slice(0, shown), ...(rest > 0 ? [`… and ${rest} more`] : [])]
    .map((block) => block.replace(/^/gm, '  '))
    .join('\n')
}

/** Explains that no request has come, and which went to the first world instead. */
export function noRequests(mailbox: Simulator): string {
  const none = `No request has come to ${mailbox.id}`
  const [first] = mailbox.worlds()
  const strays = first === undefined || first.id === mailbox.id ? [] : first.journal.exchanges()
  const last = strays.at(-1)
  if (!first || !last) return `${none}; does the client use mailbox.baseUrl and mailbox.apiKey?`
  const came = `${counted(strays.length, 'request')} came to ${first.id}, the last ${formatExchange(last)}`
  return `${none}; ${came}. Does the client use mailbox.apiKey?`
}
