import type { Path } from './places.js'
import { valueAt } from './schema-walk.js'
import type { UnknownKey } from './unknown-key.js'

/** A value with its misspelt keys put right, so that the rest of it can be looked at. */
export class Corrections {
  #value: unknown
  readonly #made: { readonly parent: Path; readonly from: string; readonly to: string }[] = []

  constructor(value: unknown) {
    this.#value = value
  }

  /** The value, with what has been put right. */
  get value(): unknown {
    return this.#value
  }

  /** Puts a key right where that is clear and the right one is free; whether it did. */
  add({ path, key, meant }: UnknownKey): boolean {
    const parent = path.slice(0, -1)
    const map = valueAt(this.#value, parent)
    if (meant === undefined || typeof map !== 'object' || map === null) return false
    if (!Object.hasOwn(map, key) || Object.hasOwn(map, meant)) return false
    this.#value = withRenamed(this.#value, parent, key, meant)
    this.#made.push({ parent, from: key, to: meant })
    return true
  }

  /** A path of the corrected value, as it is in the file. */
  original(path: Path): Path {
    return this.#made.reduceRight<Path>((corrected, { parent, from, to }) => {
      const isBelow =
        parent.every((step, index) => corrected[index] === step) && corrected[parent.length] === to
      return isBelow ? corrected.with(parent.length, from) : corrected
    }, path)
  }
}

function withRenamed(value: unknown, [step, ...rest]: Path, from: string, to: string): unknown {
  if (step === undefined) {
    return Object.fromEntries(
      Object.entries(value as object).map(([key, child]) => [key === from ? to : key, child]),
    )
  }
  const child = withRenamed(valueAt(value, [step]), rest, from, to)
  return Array.isArray(value) ? value.with(Number(step), child) : { ...(value as object), [step]: child }
}
