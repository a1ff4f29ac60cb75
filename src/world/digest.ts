import { type Base, type MailboxStore, type ModelName, modelNames, type Rows } from '../model/index.js'
import { canonicalJson, type Hash, hashText, hexOf } from './random.js'
import { formatInstant } from './time.js'
import type { TimelineEntry } from './timeline.js'
import type { TriggeredEntry } from './triggers.js'
import type { World } from './world.js'

/**
 * 32 hex digits over everything a world holds: its rows with their bodies, its time, its readings and what is
 * still to come of its story. Equal worlds have equal digests, on every machine.
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

/** A row as it is read: a body that is made when it is read counts as what is read. */
function contentsOf<M extends ModelName>(store: MailboxStore, model: M, row: Rows[M]): object {
  if (model !== 'message') return row
  const message = row as Rows['message']
  const { text, html } = store.bodyOf(message)
  return { ...message, body_key: undefined, text, html }
}

/** Adds up hashes, so that the order in which things come does not count. */
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

/** JSON of the fields in an order of their own, so that equal rows have equal texts however they were made. */
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

const sample = 1000

/** The fingerprint of a story, taken when it is first asked for: most worlds are never asked. */
export function createFingerprint(story: Fingerprinted): () => string {
  let taken: string | undefined
  return () => {
    taken ??= fingerprintOf(story)
    return taken
  }
}

/**
 * 32 hex digits that tell one beginning from another, be they of the same scenario and seed. They stand for how
 * many rows there are, for every message that somebody wrote out, for the first thousand rows of each model, and
 * for what is to happen: not for every generated row, of which there may be millions, nor for what no world
 * holds, such as descriptions, expectations and readings.
 */
function fingerprintOf(story: Fingerprinted): string {
  const { scenario, seed, start, base, timeline, triggered = [], bounces = [] } = story
  const print = new Fingerprint()
  print.add(canonicalJson({ scenario, seed, start }))
  for (const entry of [...timeline, ...triggered]) print.add(canonicalJson(entry))
  if (bounces.length > 0) print.add(canonicalJson({ bounces }))
  for (const model of modelNames) {
    print.add(`${model} ${base.database.count(model)}`)
    let read = 0
    for (const row of base.database.all(model)) {
      if (read++ < sample || isWritten(row)) print.addRow(model, row)
      else if (model !== 'message') break
    }
  }
  return print.toString()
}

/** Whether it is a message whose words somebody wrote, and may write anew. */
function isWritten(row: Rows[ModelName]): boolean {
  return 'body_key' in row && row.body_key === null
}

/** A hash of one text after another. */
class Fingerprint {
  #words: Hash = [0, 0, 0, 0]
  /** Generated mail shares its files: each is read once. */
  readonly #files = new Map<string, string>()

  add(text: string): void {
    const [a, b, c, d] = hashText(text)
    const [e, f, g, h] = this.#words
    this.#words = [follow(e, a), follow(f, b), follow(g, c), follow(h, d)]
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

function follow(before: number, next: number): number {
  return (Math.imul(before, 0x01000193) + next) >>> 0
}
