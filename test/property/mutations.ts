import fc from 'fast-check'

/** The path of a part of a value: keys and positions. */
export type PartPath = readonly (string | number)[]

/** A value with one mistake. */
export interface Mutation {
  readonly value: unknown
  /** A misspelt key and the correct one. */
  readonly misspelt?: { readonly wrong: string; readonly right: string }
}

/** Every part of a value except the whole. */
export function partsOf(value: unknown, path: PartPath = []): PartPath[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const own = [...path, Array.isArray(value) ? Number(key) : key]
    return [own, ...partsOf(child, own)]
  })
}

/** Removes or replaces a key, an entry or a value. */
export function wreck(value: unknown): fc.Arbitrary<Mutation> {
  const others = [null, true, 42, -1.5, 1e300, 'soon', '', [], {}, [1], { a: 1 }, '{{', '-3d', '9'.repeat(60)]
  return fc
    .tuple(fc.constantFrom(...partsOf(value)), fc.constantFrom(undefined, ...others))
    .map(([path, other]) => ({ value: changed(value, path, other) }))
}

/** A word is misspelt: a key that `isOfFormat`, or a text. */
export function misspell(
  value: unknown,
  what: 'key' | 'text',
  fits: (path: PartPath, word: string) => boolean,
): fc.Arbitrary<Mutation> {
  const words = partsOf(value).flatMap((path): { path: PartPath; word: string }[] => {
    const word = what === 'key' ? path.at(-1) : at(value, path)
    return typeof word === 'string' && fits(path, word) ? [{ path, word }] : []
  })
  return fc.tuple(fc.constantFrom(...words), slip).map(([{ path, word }, slipOf]) => {
    const wrong = slipOf(word)
    const wrecked = what === 'key' ? renamed(value, path, wrong) : changed(value, path, wrong)
    return { value: wrecked, misspelt: { wrong, right: word } }
  })
}

/** A typing mistake: a letter is missing, doubled or replaced by a neighbor. */
const slip: fc.Arbitrary<(word: string) => string> = fc.tuple(fc.nat(), fc.nat(2)).map(([position, kind]) => {
  return (word) => {
    // The first letter is hardly ever wrong.
    const index = 1 + (position % (word.length - 2))
    const [before, letter, after] = [word.slice(0, index), word.charAt(index), word.slice(index + 1)]
    if (kind === 0) return before + after
    return kind === 1 ? before + letter + letter + after : before + after.charAt(0) + letter + after.slice(1)
  }
})

function at(value: unknown, path: PartPath): unknown {
  return path.reduce<unknown>((parent, step) => (parent as Record<string | number, unknown>)[step], value)
}

/** A copy with another value at a path; undefined removes it. */
function changed(value: unknown, [step, ...rest]: PartPath, other: unknown): unknown {
  if (step === undefined) return other
  const child = changed(at(value, [step]), rest, other)
  if (Array.isArray(value)) {
    return child === undefined && rest.length === 0
      ? value.toSpliced(Number(step), 1)
      : value.with(Number(step), child)
  }
  const entries = Object.entries({ ...(value as object), [step]: child })
  return Object.fromEntries(entries.filter(([, kept]) => kept !== undefined))
}

function renamed(value: unknown, path: PartPath, name: string): unknown {
  const key = path.at(-1)
  const map = Object.entries(at(value, path.slice(0, -1)) as object)
  const other = Object.fromEntries(map.map(([own, child]) => [own === key ? name : own, child]))
  return changed(value, path.slice(0, -1), other)
}
