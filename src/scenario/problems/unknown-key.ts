import { z } from '../../contract/schema.js'
import { expectedOneOf, similarNames } from '../../contract/text.js'
import { formOfKind, type KnownMap, keysOf, kindOf, nounOf, patternOf, type Schema } from './schema.js'
import { orJoin } from './values.js'

/** A key that the format does not allow in its map. */
export interface UnknownKey {
  /** The key, without a value that was joined to it for want of a space. */
  readonly name: string
  readonly message: string | (() => string)
  /** The key of the map that was probably meant, if there is exactly one. */
  readonly meant?: string | undefined
}

/** Explains a key that its map does not have; `maps` are all maps of the format. */
export function explainUnknownKey(
  form: Schema,
  key: string,
  value: unknown,
  maps: readonly KnownMap[],
): UnknownKey {
  const known = keysOf(form)
  const [before] = key.split(':', 1) as [string]
  // The value after the colon may be a secret.
  if (before !== key && known.includes(before)) {
    return { name: before, message: 'a space is missing after the ":"' }
  }
  const meant = misspelt(key, known)
  const message = (): string => {
    if (key === '<<') return 'there are no merge keys in YAML 1.2; write the keys out'
    if (key.startsWith('//')) return 'unknown key; a comment begins with "#"'
    if (meant.length > 0) return `unknown key; did you mean ${orJoin(meant.map((name) => `"${name}"`))}?`
    const home = mapWithKey(maps, form, key, value)
    if (home) return `unknown key; it belongs to ${nounOf(home.pattern)}: ${patternOf(home.pattern, key)}`
    return `unknown key${expectedOneOf(key, known)}`
  }
  return { name: key, message, meant: meant.length === 1 ? meant[0] : undefined }
}

/** Returns the keys that may have been meant by a misspelling or a singular: `mesages`, `identity`. */
function misspelt(key: string, known: readonly string[]): string[] {
  const nearest = similarNames(key, known)
  if (nearest.length === 0) {
    return known.filter((name) => key.length > 4 && name.startsWith(key.slice(0, -1))).slice(0, 1)
  }
  // Transposed letters are the likeliest mistake.
  const swapped = nearest.filter((name) => lettersOf(name) === lettersOf(key))
  return swapped.length > 0 ? swapped : nearest
}

function lettersOf(word: string): string {
  return [...word].sort().join('')
}

/**
 * Returns the kind of map that a key with such a value belongs to: the nearest one inside this map, else around it, else
 * the only one near the top; undefined if there are several.
 */
function mapWithKey(
  maps: readonly KnownMap[],
  own: Schema,
  key: string,
  value: unknown,
): KnownMap | undefined {
  const here = maps.find(({ form }) => form === own)?.pattern ?? ''
  const owners = mapsWithKey(maps, own, key, value)
  const inside = owners.filter(({ pattern }) => isWithin(pattern, here))
  const nearest = Math.min(...inside.map(depthOf))
  const around = owners.filter(({ pattern }) => isWithin(here, pattern))
  const farthest = Math.max(...around.map(depthOf))
  const nearby = inside.filter((map) => depthOf(map) === nearest)
  const choices = [
    nearby,
    // Single maps before entries of lists.
    nearby.filter(({ pattern }) => !pattern.endsWith('[]')),
    around.filter((map) => depthOf(map) === farthest),
    owners.filter((map) => depthOf(map) < 2),
  ]
  return choices.find(({ length }) => length === 1)?.[0]
}

/** Returns the maps with such a key: those that accept the value, or else those with values of its kind. */
function mapsWithKey(maps: readonly KnownMap[], own: Schema, key: string, value: unknown): KnownMap[] {
  const owners = maps.filter(({ form, shape }) => form !== own && takes(shape, key, value))
  const accepting = owners.filter(({ shape }) => z.core.safeParse(shape[key] as z.ZodType, value).success)
  return accepting.length > 0 ? accepting : owners
}

function takes(shape: KnownMap['shape'], key: string, value: unknown): boolean {
  const schema = Object.hasOwn(shape, key) ? shape[key] : undefined
  return schema !== undefined && formOfKind(schema, kindOf(value)) !== undefined
}

function isWithin(pattern: string, outer: string): boolean {
  return outer === '' ? pattern !== '' : pattern.startsWith(outer) && pattern.length > outer.length
}

function depthOf({ pattern }: KnownMap): number {
  return pattern === '' ? 0 : pattern.split('.').length
}
