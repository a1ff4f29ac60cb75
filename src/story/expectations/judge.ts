import { counted } from '../../base/text.js'
import { type Difference, distanceOf } from './match.js'

/** Compares things of one kind, such as requests, with what is expected of them, and describes them. */
export interface Judge<Thing> {
  /** The noun for the things: one, and several. */
  readonly nouns: readonly [one: string, several: string]
  /** What happens to a thing; `came` by default. */
  readonly verb?: string
  /** Whether a thing may still become what is expected. */
  readonly mayChange?: true
  /** What is expected, after the noun: `of threads.list with query.agent "support"`. */
  readonly expected: string
  /** Returns the things so far. */
  things(): readonly Thing[]
  /** Explains why there are none. */
  explainNone(): string
  /** Returns the values of a thing that differ from the expected ones. */
  compare(thing: Thing): readonly Difference[]
  /** Formats a thing in a line. */
  line(thing: Thing): string
  /** Returns a thing as users see it; unchanged by default. */
  show?(thing: Thing): unknown
  /** Describes how a thing differs, with a line for each value. */
  differences(thing: Thing, differing: readonly Difference[]): readonly string[]
  /** Explains what a thing that is not final is waiting for. */
  advice?(thing: Thing): readonly string[]
}

/** A thing with the values that differ from the expected ones; one that matches has none. */
export interface Compared<Thing> {
  readonly thing: Thing
  readonly differing: readonly Difference[]
}

/** Returns the things so far, each compared with what is expected. */
export function judgeAll<Thing>(judge: Judge<Thing>): Compared<Thing>[] {
  return judge.things().map((thing) => ({ thing, differing: judge.compare(thing) }))
}

/** Returns whether a thing is as expected. */
export function fits({ differing }: Compared<unknown>): boolean {
  return differing.length === 0
}

/**
 * Shows things, by default all, with their differences, the nearest first, below a line with their numbers.
 */
export function showJudged<Thing>(
  judge: Judge<Thing>,
  judged: readonly Compared<Thing>[],
  shown = judged,
): string {
  if (judged.length === 0) return judge.explainNone()
  const number = judged.filter(fits).length
  const fitting = number === 0 ? 'none matches' : `${number} ${number === 1 ? 'matches' : 'match'}`
  const distances = new Map(shown.map((one) => [one, distanceOf(one.differing)]))
  const sorted = shown.toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0))
  const order = new Set(distances.values()).size > 1 ? '; the nearest first' : ''
  const blocks = sorted.map((one) => showOne(judge, one))
  return `${counted(judged.length, ...judge.nouns)}, of which ${fitting}${order}:\n${listed(blocks, 8)}`
}

function showOne<Thing>(judge: Judge<Thing>, { thing, differing }: Compared<Thing>): string {
  const lines = [...judge.differences(thing, differing), ...(judge.advice?.(thing) ?? [])]
  const mark = differing.length === 0 ? '✓' : '✗'
  return [`${mark} ${judge.line(thing)}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

/** Returns what tells most where more than `most` things are as expected, or too few: the last of them, or the nearest other. */
export function tellingThing<Thing>(
  judge: Judge<Thing>,
  judged: readonly Compared<Thing>[],
  most: number,
): string | undefined {
  const fitting = judged.filter(fits)
  const last = fitting.at(-1)
  if (last && fitting.length > most) {
    const line = judge.line(last.thing)
    return fitting.length === 1 ? `Found ${line}` : `Found ${fitting.length}, the last ${line}`
  }
  const others = judged.filter((one) => !fits(one))
  const [nearest] = others.toSorted((a, b) => distanceOf(a.differing) - distanceOf(b.differing))
  if (!nearest) return undefined
  const [difference] = judge.differences(nearest.thing, nearest.differing)
  return `The nearest is ${judge.line(nearest.thing)}${difference === undefined ? '' : `: ${difference}`}`
}

/** Indents the first few blocks of text, and adds the number of the others. */
export function listed(blocks: readonly string[], most: number): string {
  const rest = blocks.length - most
  return [...blocks.slice(0, most), ...(rest > 0 ? [`… and ${rest} more`] : [])]
    .map((block) => block.replace(/^/gm, '  '))
    .join('\n')
}
