import type { Exchange, WorldEvent } from 'agent-mailbox-sim'
import type { Expectation } from '../../src/story/expectations/kinds.js'
import type { Milestone, StoryWindow } from '../../src/story/expectations/time-window.js'

/** A point of a story. */
interface Point {
  readonly at: number
  readonly seq: number
}

/** The complete events of a story. */
export interface WholeStory {
  readonly start: number
  readonly happenings: readonly WorldEvent[]
  readonly expectations: readonly Expectation[]
}

/** Counts the requests that fulfill an expectation, by a scan of all exchanges. */
export function countOf(story: WholeStory, expectation: Expectation): number {
  return countingFor(story, expectation).length
}

function countingFor(story: WholeStory, { written: { request, where }, window }: Expectation): Point[] {
  const { after, before, within } = window as StoryWindow
  const from = after && pointOf(story, after)
  const until = before && pointOf(story, before)
  const base = after ? from?.at : story.start
  return exchangesOf(story)
    .filter(([{ operation: found, query }, point]) => {
      const fits = Object.entries(where?.query ?? {}).every(
        ([name, value]) => (query[name] ?? null) === value,
      )
      if (found !== request || !fits) return false
      if (after && !(from && point.seq > from.seq && point.at >= from.at)) return false
      if (until && (point.seq === until.seq || (point.seq > until.seq && point.at >= until.at))) return false
      return !within || (base !== undefined && point.at <= base + within.milliseconds)
    })
    .map(([, point]) => point)
}

/** When something first happened. */
function pointOf(story: WholeStory, mark: Milestone): Point | undefined {
  if (mark.kind === 'operation') {
    return exchangesOf(story).find(([{ operation }]) => operation === mark.operation)?.[1]
  }
  if (mark.kind === 'entry') {
    const entry = story.happenings.find(({ type, data }) => {
      return type === 'timeline' && (data as { readonly name: string }).name === mark.entry
    })
    return entry && { at: Date.parse(entry.at), seq: entry.seq }
  }
  return { at: story.start + mark.after, seq: -1 }
}

function exchangesOf({ happenings }: WholeStory): [Exchange, Point][] {
  return happenings.flatMap(({ type, seq, data }): [Exchange, Point][] => {
    if (type !== 'exchange') return []
    const exchange = data as Exchange
    return [[exchange, { at: Date.parse(exchange.at), seq }]]
  })
}
