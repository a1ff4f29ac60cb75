/** The keys and positions that lead to a part of a file, e.g. `['identities', 0, 'handle']`. */
export type Path = readonly PropertyKey[]

/** A place in a file; both count from 1, columns in UTF-16 code units. */
export interface FilePlace {
  readonly line: number
  readonly column: number
}

/**
 * Where a value of a file stands, or its key; what is missing stands where its parent does. Undefined where
 * there is no file.
 */
export type Locate = (path: Path, part?: 'key' | 'value') => FilePlace | undefined

/** `['identities', 0, 'handle']` → `identities[0].handle`, in one line whatever the keys are. */
export function keyOf(path: Path): string {
  return path.map((step, index) => stepOf(step, index === 0)).join('')
}

function stepOf(step: PropertyKey, first: boolean): string {
  if (typeof step === 'number') return `[${step}]`
  const name = String(step)
  if (!/^[^\s"[\]\p{C}]+$/u.test(name)) return `[${JSON.stringify(shorten(name))}]`
  return `${first ? '' : '.'}${shorten(name)}`
}

/** A text in one line, of at most 40 characters. */
export function shorten(text: string): string {
  const line = text.trim().replace(/[\s\p{C}]+/gu, ' ')
  const letters = [...line]
  return letters.length <= 40 ? line : `${letters.slice(0, 39).join('')}…`
}
