import { defaultReadings } from '../../contract/gaps.js'
import { chooseReadings, ReadingError, type ReadingsLayer, withChoices } from '../../world/index.js'
import type { Scenario } from '../format/index.js'
import type { Path } from '../problems/places.js'
import type { ProblemAt } from '../problems/refusal.js'
import type { NoteFile } from './files.js'
import { namesFile, readingsLayers } from './readings-file.js'

/** The readings a scenario brings itself, and everything wrong with them. */
export interface OwnReadings {
  readonly layers: readonly ReadingsLayer[]
  readonly problems: readonly ProblemAt[]
}

/**
 * Reads what a scenario says under `readings`; a wrong choice is a problem of its own gap, and where the scenario
 * is confined to shipped files, so is any file.
 */
export async function ownReadings(
  { readings: input }: Scenario,
  beside: URL | undefined,
  note: NoteFile,
  confined = false,
): Promise<OwnReadings> {
  if (typeof input === 'object') {
    const problems = Object.entries(input).flatMap(([gap, reading]) => wrongChoice(gap, reading))
    return { layers: problems.length > 0 ? [] : [{ from: 'scenario', input }], problems }
  }
  if (confined && input !== undefined && namesFile(input)) {
    const message =
      'expected default, worst-case, seed:<n> or readings by gap; this scenario may name no file'
    return { layers: [], problems: [{ path: ['readings'], message }] }
  }
  try {
    const layers = await readingsLayers({ from: 'scenario', input }, beside, note)
    chooseReadings(layers)
    return { layers, problems: [] }
  } catch (error) {
    return { layers: [], problems: [problemOf(error, ['readings'])] }
  }
}

function wrongChoice(gap: string, reading: string): ProblemAt[] {
  try {
    withChoices(defaultReadings, { [gap]: reading })
    return []
  } catch (error) {
    return [problemOf(error, ['readings', gap])]
  }
}

function problemOf(error: unknown, path: Path): ProblemAt {
  if (!(error instanceof ReadingError)) throw error
  return { path, part: error.code === 'unknown-gap' ? 'key' : 'value', message: error.message }
}
