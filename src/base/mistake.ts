import { shorten } from './text.js'

/** The keys and positions that lead to a part of a file, e.g. `['identities', 0, 'handle']`. */
export type Path = readonly PropertyKey[]

/** A mistake in a part of a value. */
export interface Mistake {
  readonly path: Path
  /** The path of its place, if that differs. */
  readonly place?: Path
  /** Whether the key itself is wrong; the value otherwise. */
  readonly part?: 'key' | 'value'
  /** A text, or a function that creates it, so that only reported problems pay for the search for similar names. */
  readonly message: string | (() => string)
}

/** Returns the text of a mistake. */
export function textOf(message: Mistake['message']): string {
  return typeof message === 'string' ? message : message()
}

/** Formats a path in one line: `['identities', 0, 'handle']` becomes `identities[0].handle`. */
export function keyOf(path: Path): string {
  return path.map((step, index) => stepOf(step, index === 0)).join('')
}

function stepOf(step: PropertyKey, first: boolean): string {
  if (typeof step === 'number') return `[${step}]`
  const name = String(step)
  if (!/^[^\s"[\]\p{C}]+$/u.test(name)) return `[${JSON.stringify(shorten(name))}]`
  return `${first ? '' : '.'}${shorten(name)}`
}

/** Returns a text in quotes, shortened to one line. */
export function quoted(text: string): string {
  return `"${shorten(text)}"`
}
