import { once } from '../../base/once.js'
import type { Base } from '../model/base.js'
import { type ModelName, modelNames, type Rows } from '../model/rows.js'
import type { Masker } from '../record/masker.js'
import { canonicalJson, hashText, hexOf } from '../time/random.js'
import { formatInstant } from '../time/time.js'
import type { InitialState, WorldState } from './state.js'
import type { TriggeredEntry } from './story.js'
import type { TimelineEntry } from './story-entry.js'

/** A world, of which the digest is that of its present state. */
interface DigestedWorld {
  readonly initialState: InitialState
  readonly state: WorldState
  readonly masker: Masker
}

/**
 * Returns the digest of a world, 32 hex digits over its story and what has changed in it: rows, time, assumptions, kept responses,
 * and how much of the story is left. Equal worlds have equal digests, on every machine, whatever their secrets are.
 */
export function digestOf({ initialState, state, masker }: DigestedWorld): string {
  const { fingerprint, base, timeline } = initialState
  const { clock, chosen, answers, played, store } = state
  const facts = {
    fingerprint: fingerprint(),
    now: formatInstant(clock.now),
    left: timeline.length - played.length,
    assumptions: chosen.assumptions,
    answers: [...answers.values()],
  }
  const { rows, deleted } = store.written
  const written = modelNames.flatMap((model) => {
    return rows[model].flatMap((row) => {
      const text = sortedFields(row)
      const before = base.database.get(model, row.id)
      return before && sortedFields(before) === text ? [] : [`${model} ${row.id} ${text}`]
    })
  })
  const gone = deleted.map(({ model, id }) => `${model} ${id}`)
  const lines = [canonicalJson(facts), ...[...written, ...gone].sort()]
  return hexOf(hashText(masker.known(lines.join('\n'))))
}

/** Returns the fields as JSON, sorted by name, so that equal rows have equal texts. */
function sortedFields(row: object): string {
  const fields = Object.entries(row).filter(([, value]) => value !== undefined)
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The parts of an initial state that its fingerprint covers. */
interface Fingerprinted {
  readonly scenario: string
  readonly seed: number
  readonly start: number
  readonly base: Base
  readonly timeline: readonly TimelineEntry[]
  readonly triggered?: readonly TriggeredEntry[]
  readonly bounces?: readonly string[]
}

/** The number of rows of each model that a fingerprint always covers. */
const sampleSize = 1000

/** Returns a function that computes the fingerprint of a story when it is first called, which is rare. */
export function createFingerprint(story: Fingerprinted): () => string {
  return once(() => fingerprintOf(story))
}

/**
 * Returns 32 hex digits that distinguish initial states, even of the same scenario and seed. They cover the number of
 * rows, every message whose text the scenario states, the first thousand rows of each model, and the timeline; not every
 * generated row, of which there may be millions, nor descriptions, expectations and assumptions.
 */
function fingerprintOf(story: Fingerprinted): string {
  const { scenario, seed, start, base, timeline, triggered = [], bounces = [] } = story
  let words: readonly number[] = [0, 0, 0, 0]
  const add = (text: string): void => {
    const hash = hashText(text)
    words = words.map((word, place) => (Math.imul(word, 0x01000193) + (hash[place] as number)) >>> 0)
  }
  // Generated messages share files.
  const files = new Map<string, string>()
  const withHashedFile = (row: Rows['attachment']): object => {
    const content = files.get(row.content) ?? hashText(row.content).join(' ')
    files.set(row.content, content)
    return { ...row, content }
  }
  add(canonicalJson({ scenario, seed, start }))
  for (const entry of [...timeline, ...triggered]) add(canonicalJson(entry))
  if (bounces.length > 0) add(canonicalJson({ bounces }))
  for (const model of modelNames) {
    // A scenario has none, and earlier fingerprints do not count them.
    if (model === 'value') continue
    add(`${model} ${base.database.count(model)}`)
    let read = 0
    for (const row of base.database.all(model)) {
      if (read++ < sampleSize || isWritten(row)) {
        const contents = 'content' in row ? withHashedFile(row) : row
        add(JSON.stringify(contents, Object.keys(contents).sort()))
      } else if (model !== 'message') break
    }
  }
  return hexOf(words)
}

/** Returns whether a row is a message whose text the scenario states. */
function isWritten(row: Rows[ModelName]): boolean {
  return 'body_key' in row && row.body_key === null
}
