import { parseDuration, parseInstant, type TimelineEntry } from '../../world/index.js'
import type { ScenarioPath } from '../building/building.js'
import type { ScenarioTimelineEntry } from '../format/index.js'
import { prepareAction } from './actions.js'
import type { Cast } from './cast.js'
import { noteMessages } from './note-messages.js'

/** A timeline as a world plays it. */
export interface CompiledTimeline {
  /** Commands with everything filled in, in the order in which they happen. */
  readonly entries: TimelineEntry[]
  /** The place among these where an entry first happens, by its key. */
  readonly places: ReadonlyMap<string, number>
}

/** Compiles the timeline of a scenario; what is found wrong is noted in the building. */
export async function compileTimeline(cast: Cast): Promise<CompiledTimeline> {
  const compiledAt: TimelineEntry[][] = []
  const firsts = new Map<string, TimelineEntry>()
  for (const [index, [name, entry]] of outcomesLast(cast.entries)) {
    const compiled = await compileEntry(cast, entry, name, ['timeline', index])
    const [first] = compiled
    if (first && entry.key !== undefined) firsts.set(entry.key, first)
    if (first) noteMessages(cast, entry, first)
    compiledAt[index] = compiled
  }
  const entries = compiledAt.flat()
  // Sorting is stable: what happens at one instant happens in the order of the file.
  entries.sort((a, b) => a.after - b.after)
  const placeOf = new Map(entries.map((entry, place) => [entry, place]))
  const places = new Map([...firsts].map(([key, entry]) => [key, placeOf.get(entry) as number]))
  return { entries, places }
}

type NamedEntries = Cast['entries']

/** The entries with their places, those about what became of mail last: the mail may stand below them. */
function outcomesLast(entries: NamedEntries): [number, NamedEntries[number]][] {
  const placed = [...entries.entries()]
  const isOutcome = ([, [, { deliver, bounce }]]: (typeof placed)[number]): boolean => {
    return (deliver ?? bounce) !== undefined
  }
  return [...placed.filter((entry) => !isOutcome(entry)), ...placed.filter(isOutcome)]
}

async function compileEntry(
  cast: Cast,
  entry: ScenarioTimelineEntry,
  name: string,
  path: ScenarioPath,
): Promise<TimelineEntry[]> {
  const perform = await prepareAction(cast, entry, path)
  const first = offsetOf(cast.building.start, entry)
  const every = parseDuration(entry.repeat?.every ?? '0s') as number
  return Array.from({ length: entry.repeat?.times ?? 1 }, (_, index) => {
    const own = index === 0 ? name : `${name}/${index + 1}`
    return { name: own, after: first + index * every, ...perform(`timeline/${own}`, index) }
  })
}

function offsetOf(start: number, { after, at }: ScenarioTimelineEntry): number {
  return after === undefined ? (parseInstant(at ?? '') ?? start) - start : (parseDuration(after) as number)
}
