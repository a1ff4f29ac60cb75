import { correctedDocument } from '../../base/explain-document.js'
import type { Format } from '../../base/forms.js'
import { chosenIssues, issuesOf } from '../../base/issues.js'
import type { Path } from '../../base/mistake.js'
import type { z } from '../../base/schema.js'

/** The part of a document that its format allows. */
export interface Salvaged<Content> {
  readonly content: Content
  /** Every key and text in what was left out: what refers to them may be right. */
  readonly lost: ReadonlySet<string>
  /** The keys of the document from whose values something was left out. */
  readonly lostFrom: readonly string[]
  /** Returns the path in the document of a part of the content. */
  placeOf(path: Path): Path
}

/** How often mistakes are taken out: what remains of a part may lack a key, so that the part goes as well. */
const maxRounds = 10

/**
 * Takes what its format does not allow out of a document, so that the rest can be checked for more than its format.
 * Misspelt keys are corrected. Undefined if nothing of use is left.
 */
export function salvage<Content>(
  format: Format,
  schema: z.ZodType<Content>,
  value: unknown,
): Salvaged<Content> | undefined {
  const corrected = correctedDocument(format, schema, value)
  const document = new ReducedDocument(corrected.value)
  for (const { path, part } of corrected.dropped) {
    const isPlain = typeof part !== 'object' || part === null
    // An unknown key at the top with a plain value defines nothing.
    if (path.length > 1 || !isPlain) document.noteLost(path, part)
  }
  for (let round = 0; round < maxRounds; round++) {
    const { data } = schema.safeParse(document.value)
    if (data !== undefined) {
      const { lost, lostFrom } = document
      return {
        content: data,
        lost,
        lostFrom: [...lostFrom],
        placeOf: (path) => corrected.placeOf(document.placeOf(path)),
      }
    }
    const paths = issuesOf(schema, document.value).flatMap(chosenIssues)
    for (const { path } of paths.toSorted((a, b) => compare(b.path, a.path))) document.remove(path)
    if (document.isEmpty) return undefined
  }
  return undefined
}

/** Orders paths like the parts of a document. */
function compare(a: Path, b: Path): number {
  const at = a.findIndex((step, index) => step !== b[index])
  if (at < 0 || at >= b.length) return a.length - b.length
  const [one, other] = [a[at], b[at]]
  return typeof one === 'number' && typeof other === 'number' ? one - other : 0
}

/** A document from which parts are removed, with the places that the others had. */
class ReducedDocument {
  readonly value: unknown
  readonly lost = new Set<string>()
  readonly lostFrom = new Set<string>()
  isEmpty = false
  /** By list, the place that each entry had. */
  readonly #places = new WeakMap<object, number[]>()

  constructor(value: unknown) {
    this.value = structuredClone(value)
  }

  /** Removes a part, or, where one is missing, what it is missing in. */
  remove(path: Path): void {
    const parent = this.#at(path.slice(0, -1))
    const step = path.at(-1)
    if (step === undefined) {
      this.isEmpty = true
      return
    }
    if (typeof parent !== 'object' || parent === null) return
    if (!Object.hasOwn(parent, step)) {
      this.remove(path.slice(0, -1))
      return
    }
    this.noteLost(path, Reflect.get(parent, step))
    if (Array.isArray(parent)) {
      const places = this.#placesOf(parent)
      parent.splice(Number(step), 1)
      places.splice(Number(step), 1)
    } else Reflect.deleteProperty(parent, step)
  }

  /** Notes the keys and the texts in a part that is not there. */
  noteLost(path: Path, part: unknown): void {
    this.lostFrom.add(String(path[0]))
    const step = path.at(-1)
    if (typeof step === 'string') this.lost.add(step)
    if (typeof part === 'string') this.lost.add(part)
    if (typeof part !== 'object' || part === null) return
    for (const [key, child] of Object.entries(part)) {
      this.noteLost([...path, Array.isArray(part) ? Number(key) : key], child)
    }
  }

  /** Returns the path that a part had. */
  placeOf(path: Path): Path {
    return path.map((step, index) => {
      const parent = this.#at(path.slice(0, index))
      return Array.isArray(parent) && typeof step === 'number' ? (this.#placesOf(parent)[step] ?? step) : step
    })
  }

  #placesOf(list: readonly unknown[]): number[] {
    const places = this.#places.get(list) ?? [...list.keys()]
    this.#places.set(list, places)
    return places
  }

  #at(path: Path): unknown {
    return path.reduce<unknown>((part, step) => Object(part)[step], this.value)
  }
}
