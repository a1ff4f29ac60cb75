import { type Base, type ModelName, modelNames, type Rows } from '../model/index.js'
import { canonicalJson, type Hash, hashText, hexOf } from './random.js'
import type { TimelineEntry } from './timeline.js'
import type { TriggeredEntry } from './triggers.js'

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
