import type { BaseBuilder } from '../model/index.js'
import { idOf, parseDuration, parseInstant } from '../world/index.js'
import type { ScenarioFiles } from './files.js'
import type { BodyShelf } from './generate.js'
import type { ScenarioProblem } from './scenario-error.js'
import type { Templates } from './templates.js'

/** What the parts of a scenario are built with. */
export interface Building {
  readonly seed: number
  /** The instant the story begins. */
  readonly start: number
  readonly builder: BaseBuilder
  readonly templates: Templates
  readonly files: ScenarioFiles
  readonly shelf: BodyShelf
  /** Notes a problem; building goes on, so that all are found in one go. */
  problem(path: ScenarioPath, message: string): void
}

/** A place in the scenario, e.g. `['identities', 0, 'handle']`. */
export type ScenarioPath = readonly (string | number)[]

/** A problem as it is noted while building. */
export type FoundProblem = Omit<ScenarioProblem, 'key'> & { readonly path: ScenarioPath }

/** The instant of `-2d` or of an ISO 8601 text; the format has been checked. */
export function instantOf(building: Building, moment: string): number {
  const duration = parseDuration(moment)
  return duration === undefined ? (parseInstant(moment) as number) : building.start + duration
}

/** A template filled from the stream of its path; one Faker does not know is a problem. */
export function fill(building: Building, template: string, name: string, path: ScenarioPath): string {
  try {
    return building.templates.fill(template, name)
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    building.problem(path, `cannot fill "${template}": ${reason}`)
    return template
  }
}

/** The id of the part of that name. */
export function idFor(building: Building, kind: Parameters<typeof idOf>[0], name: string): string {
  return idOf(kind, building.seed, name)
}
