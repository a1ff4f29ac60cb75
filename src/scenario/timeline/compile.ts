import type { MailboxStore } from '../../model/index.js'
import { parseDuration, parseInstant, type TimelineEntry } from '../../world/index.js'
import type { Building, ScenarioPath } from '../building/building.js'
import { nameParts } from '../building/names.js'
import type { Scenario, ScenarioTimelineEntry } from '../format/index.js'
import { prepareAction } from './actions.js'
import { Cast } from './cast.js'

/**
 * The timeline of a scenario as a world plays it: commands with everything filled in, in the order in which
 * they happen. `store` is the finished base; what is found wrong is noted in the building.
 */
export async function compileTimeline(
  building: Building,
  scenario: Scenario,
  store: MailboxStore,
): Promise<TimelineEntry[]> {
  const cast = new Cast(building, scenario, store)
  const entries: TimelineEntry[] = []
  const named = nameParts(scenario.timeline, nameOfEntry)
  for (const [index, [name, entry]] of named.entries()) {
    entries.push(...(await compileEntry(cast, entry, name, ['timeline', index])))
  }
  // Sorting is stable: what happens at one instant happens in the order of the file.
  return entries.sort((a, b) => a.after - b.after)
}

/** The key of an entry, or what tells it from the others. */
function nameOfEntry({ key, describe: _, repeat: __, after, at, ...action }: ScenarioTimelineEntry): string {
  return key ?? `${after ?? at} ${Object.keys(action)[0]}`
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
    return { name: own, after: first + index * every, ...perform(`timeline/${own}`) }
  })
}

function offsetOf(start: number, { after, at }: ScenarioTimelineEntry): number {
  return after === undefined ? (parseInstant(at ?? '') ?? start) - start : (parseDuration(after) as number)
}
