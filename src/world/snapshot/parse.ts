import type { z } from '../../contract/schema.js'
import type { Beginning } from '../beginning.js'
import { ReadingError } from '../errors.js'
import { type ChosenReadings, chooseReadings } from '../reading-layers.js'
import { headSchema, type Snapshot, snapshotSchema, snapshotVersion } from './document.js'
import { refusal } from './refusal.js'

/**
 * A document of this format and version, of that very beginning; whether its parts go together is not known yet.
 * @throws SnapshotError
 */
export function parseSnapshot(document: unknown, beginning: Beginning): Snapshot {
  const head = fitting(headSchema(), document)
  if (head.version > snapshotVersion) {
    const problem = `it is ${head.version}, and this simulator reads no newer one than ${snapshotVersion}; restore it with a newer simulator`
    throw refusal('wrong-version', ['version'], problem)
  }
  checkStory(head, beginning)
  const snapshot = fitting(snapshotSchema(), document)
  // A record of the schema passes over the one key that no object may be given.
  if (Object.hasOwn((document as Snapshot).readings, '__proto__')) {
    throw refusal('malformed', ['readings', '__proto__'], 'there is no such gap')
  }
  return snapshot
}

function checkStory(head: z.output<ReturnType<typeof headSchema>>, beginning: Beginning): void {
  const { scenario, seed } = beginning
  if (head.scenario !== scenario) {
    const problem = `it is of "${head.scenario}", and this world of "${scenario}"; restore it in a world of that scenario`
    throw refusal('wrong-scenario', ['scenario'], problem)
  }
  if (head.seed !== seed) {
    const problem = `it is of seed ${head.seed}, and this world of seed ${seed}; restore it in a world of that seed`
    throw refusal('wrong-scenario', ['seed'], problem)
  }
  if (head.fingerprint !== beginning.fingerprint()) {
    const problem = `"${scenario}" holds something else than when the snapshot was taken; restore it with the scenario as it was then, or take another one`
    throw refusal('wrong-scenario', ['fingerprint'], problem)
  }
}

function fitting<Schema extends z.ZodType>(schema: Schema, document: unknown): z.output<Schema> {
  const parsed = schema.safeParse(document)
  if (parsed.success) return parsed.data
  const [issue, ...others] = parsed.error.issues
  const further = others.length === 0 ? '' : ` (and ${others.length} more)`
  throw refusal('malformed', issue?.path ?? [], `${issue?.message}${further}`)
}

/** The readings of a snapshot, over the default ones. @throws SnapshotError */
export function readingsOf({ readings }: Snapshot): ChosenReadings {
  let chosen = chooseReadings([])
  for (const [gap, { reading, from }] of Object.entries(readings)) {
    try {
      chosen = chooseReadings([{ from, input: { [gap]: reading } }], chosen)
    } catch (error) {
      if (!(error instanceof ReadingError)) throw error
      throw refusal('malformed', ['readings', gap], error.message)
    }
  }
  return chosen
}
