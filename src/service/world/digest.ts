import { once } from '../../base/once.js'
import type { Base } from '../model/base.js'
import { type ModelName, modelNames, type Rows } from '../model/rows.js'
import { canonicalJson, hashText, hexOf } from '../time/random.js'
import { formatInstant } from '../time/time.js'
import { lastOf } from '../time/wall-time.js'
import type { HashSum, RowSum } from './initial-state.js'
import type { TimelineEntry } from './story-entry.js'
import type { TriggeredEntry } from './triggers.js'
import type { World } from './world.js'

/**
 * Returns the digest of a world, 32 hex digits over its rows with their bodies, its time, its assumptions and the rest of
 * its story. Equal worlds have equal digests, on every machine. Only the first digest over a base reads all of its rows.
 */
export function digestOf(world: World): string {
  return lastOf(digesting(world))
}

/** Computes the digest of a world as it is at the first step, in steps, between which a server can answer others. */
export function* digesting(world: World): Generator<undefined, string> {
  const { scenario, seed, base, rowSum } = world.initialState
  const { hashOf } = rowSum
  let sum: HashSum = [0, 0, 0, 0]
  const add = (content: object): void => {
    sum = plus(sum, hashText(sortedFields(content)), 1)
  }
  add({ scenario, seed, now: formatInstant(world.clock.now()), left: world.timeline.left })
  add({ ...world.assumptions })
  for (const answer of world.answers.state) add({ ...answer })
  const { rows, deleted } = world.store.written
  const replaced = modelNames.flatMap((model) => rows[model].map(({ id }) => ({ model, id })))
  for (const { model, id } of [...replaced, ...deleted]) {
    const row = base.database.get(model, id)
    if (row) sum = plus(sum, hashOf(model, row), -1)
    yield
  }
  for (const model of modelNames) {
    for (const row of rows[model]) {
      sum = plus(sum, hashOf(model, row), 1)
      yield
    }
  }
  return hexOf(plus(sum, yield* rowSum(), 1))
}

/** Returns what adds up the rows of a base, in steps, and knows the sum from then on. */
export function createRowSum(base: Base): RowSum {
  let known: HashSum | undefined
  // Rows are replaced and never changed, and the states of a history share them.
  const hashes = new WeakMap<object, HashSum>()
  const compute = (model: ModelName, row: Rows[ModelName]): HashSum => {
    return hashText(sortedFields({ model, ...contentsOf(base, row) }))
  }
  const hashOf = (model: ModelName, row: Rows[ModelName]): HashSum => {
    const hash = hashes.get(row) ?? compute(model, row)
    hashes.set(row, hash)
    return hash
  }
  function* rowSum(): Generator<undefined, HashSum> {
    if (known) return known
    let sum: HashSum = [0, 0, 0, 0]
    for (const model of modelNames) {
      for (const row of base.database.all(model)) {
        sum = plus(sum, compute(model, row), 1)
        yield
      }
    }
    known = sum
    return sum
  }
  return Object.assign(rowSum, { hashOf })
}

function plus(sum: HashSum, other: HashSum, sign: 1 | -1): HashSum {
  return sum.map((word, place) => (word + sign * (other[place] as number)) >>> 0)
}

/** Returns a row with its body, which may be generated when it is read. */
function contentsOf({ bodies }: Base, row: Rows[ModelName]): object {
  if (!('body_key' in row)) return row
  const { text, html } = row.body_key === null ? row : bodies(row.body_key)
  return { ...row, body_key: null, text, html }
}

/** Returns the fields as JSON, sorted by name, so that equal rows have equal texts. */
function sortedFields(content: object): string {
  const fields = Object.entries(content).filter(([, value]) => value !== undefined)
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The parts of an initial state that its fingerprint covers. */
export interface Fingerprinted {
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
