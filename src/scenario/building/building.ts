import { formatMailbox } from '../../mail/index.js'
import type { BaseBuilder } from '../../model/index.js'
import { createRandom, idOf, parseDuration, parseInstant } from '../../world/index.js'
import type { ScenarioProblem } from '../problems/scenario-error.js'
import type { ScenarioFiles } from '../source/files.js'
import type { Locale } from '../wording/locale-names.js'
import type { Wording } from '../wording/locales.js'
import { WordsWanted } from '../wording/without-words.js'
import type { BodyShelf } from './body-shelf.js'
import type { LoadMeter } from './progress.js'
import type { WrittenThreads } from './written-threads.js'

/** What the parts of a scenario are built with; templates and kinds are those of the locale in force. */
export interface Building extends Wording {
  readonly seed: number
  /** The instant the story begins. */
  readonly start: number
  readonly builder: BaseBuilder
  /** The wordings of every locale the scenario uses. */
  readonly wordings: ReadonlyMap<Locale, Wording>
  readonly files: ScenarioFiles
  readonly shelf: BodyShelf
  readonly meter: LoadMeter
  /** Threads that have a key, by it. */
  readonly written: WrittenThreads
  /** Notes a problem; building goes on, so that all are found in one go. */
  problem(path: ScenarioPath, message: string): void
}

/** A place in the scenario, e.g. `['identities', 0, 'handle']`. */
export type ScenarioPath = readonly (string | number)[]

/** A problem as it is noted while building. */
export type FoundProblem = Omit<ScenarioProblem, 'key'> & { readonly path: ScenarioPath }

/** The same building with another locale in force; without one, the building itself. */
export function inLocale(building: Building, locale: Locale | undefined): Building {
  return locale === undefined ? building : { ...building, ...building.wordings.get(locale) }
}

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
    if (error instanceof WordsWanted) throw error
    const [reason] = (error as Error).message.split('\n')
    building.problem(path, `cannot fill "${template}": ${reason}`)
    return template
  }
}

/** Somebody from outside, the same for the same name: `Ann Lee <ann.lee@mailbox.example>`. */
export function somebody({ templates, seed }: Building, name: string): string {
  const { fullName, address } = templates.person(createRandom(seed, `${name}/person`))
  return formatMailbox({ name: fullName, address })
}

/** The id of the part of that name. */
export function idFor(building: Building, kind: Parameters<typeof idOf>[0], name: string): string {
  return idOf(kind, building.seed, name)
}
