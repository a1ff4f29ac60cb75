import { type Base, type MailboxStore, type ModelName, modelNames, type Rows } from '../model/index.js'
import { canonicalJson, type Hash, hashText, hexOf } from './random.js'
import { formatInstant } from './time.js'
import type { TimelineEntry, TriggeredEntry } from './timeline.js'
import type { World } from './world.js'

/**
 * Returns the digest of a world, 32 hex digits over its rows with their bodies, its time, its readings and the rest of
 * its story. Equal worlds have equal digests, on every machine.
 */
export function digestOf(world: World): string {
  const sum = new DigestSum()
  const { scenario, seed } = world.initialState
  sum.add({ scenario, seed, now: formatInstant(world.clock.now()), left: world.timeline.left })
  sum.add({ ...world.readings })
  for (const model of modelNames) {
    for (const row of world.store.all(model)) sum.add({ model, ...contentsOf(world.store, model, row) })
  }
  return sum.toString()
}

/** Returns a row with its body, which may be generated when it is read. */
function contentsOf<M extends ModelName>(store: MailboxStore, model: M, row: Rows[M]): object {
  if (model !== 'message') return row
  const message = row as Rows['message']
  const { text, html } = store.bodyOf(message)
  return { ...message, body_key: undefined, text, html }
}

/** Adds up hashes, so that the order of the parts does not matter. */
class DigestSum {
  readonly #words = [0, 0, 0, 0]

  add(content: object): void {
    const hash = hashText(sortedFields(content))
    for (const [index, word] of hash.entries()) {
      this.#words[index] = ((this.#words[index] as number) + word) >>> 0
    }
  }

  toString(): string {
    return hexOf(this.#words)
  }
}

/** Returns the fields as JSON, sorted by name, so that equal rows have equal texts. */
function sortedFields(content: object): string {
  return JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)))
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

/** The rows of each model that a fingerprint covers in any case. */
const sampleSize = 1000

/** Returns a function that computes the fingerprint of a story when it is first called, which is rare. */
export function createFingerprint(story: Fingerprinted): () => string {
  let fingerprint: string | undefined
  return () => {
    fingerprint ??= fingerprintOf(story)
    return fingerprint
  }
}

/**
 * Returns 32 hex digits that distinguish initial states, even of the same scenario and seed. They cover the number of
 * rows, every message whose text the scenario states, the first thousand rows of each model, and the timeline; not every
 * generated row, of which there may be millions, nor descriptions, expectations and readings.
 */
function fingerprintOf(story: Fingerprinted): string {
  const { scenario, seed, start, base, timeline, triggered = [], bounces = [] } = story
  const fingerprint = new Fingerprint()
  fingerprint.add(canonicalJson({ scenario, seed, start }))
  for (const entry of [...timeline, ...triggered]) fingerprint.add(canonicalJson(entry))
  if (bounces.length > 0) fingerprint.add(canonicalJson({ bounces }))
  for (const model of modelNames) {
    fingerprint.add(`${model} ${base.database.count(model)}`)
    let read = 0
    for (const row of base.database.all(model)) {
      if (read++ < sampleSize || isWritten(row)) fingerprint.addRow(model, row)
      else if (model !== 'message') break
    }
  }
  return fingerprint.toString()
}

/** Returns whether a row is a message whose text the scenario states. */
function isWritten(row: Rows[ModelName]): boolean {
  return 'body_key' in row && row.body_key === null
}

/** Hashes a sequence of texts. */
class Fingerprint {
  #words: Hash = [0, 0, 0, 0]
  /** The hash of each file: generated messages share files. */
  readonly #files = new Map<string, string>()

  add(text: string): void {
    const [a, b, c, d] = hashText(text)
    const [e, f, g, h] = this.#words
    this.#words = [combine(e, a), combine(f, b), combine(g, c), combine(h, d)]
  }

  addRow(model: ModelName, row: Rows[ModelName]): void {
    const contents = model === 'attachment' ? this.#withoutFile(row as Rows['attachment']) : row
    this.add(JSON.stringify(contents, Object.keys(contents).sort()))
  }

  #withoutFile(row: Rows['attachment']): object {
    const file = this.#files.get(row.content) ?? hashText(row.content).join(' ')
    this.#files.set(row.content, file)
    return { ...row, content: file }
  }

  toString(): string {
    return hexOf(this.#words)
  }
}

function combine(before: number, next: number): number {
  return (Math.imul(before, 0x01000193) + next) >>> 0
}
