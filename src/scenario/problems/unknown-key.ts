import { z } from '../../contract/schema.js'
import { didYouMean, nearestName, nearestNames } from '../../contract/text.js'
import {
  formsOf,
  type KnownMap,
  keysOf,
  kindOf,
  kindOfForm,
  nounOf,
  patternOf,
  type Schema,
} from './schema.js'
import { orJoin } from './values.js'

/** A key that the format does not have in the map it stands in. */
export interface UnknownKey {
  /** What it is called, without a value that has become part of it. */
  readonly name: string
  readonly message: string | (() => string)
  /** The key of that map it was meant to be, as far as that can be told. */
  readonly meant?: string | undefined
}

/** A key with its value, the form of the map it stands in, and every kind of map that the format has. */
interface KeyInMap {
  readonly form: Schema
  readonly key: string
  readonly value: unknown
  readonly maps: readonly KnownMap[]
}

/** Explains a key that has no meaning in its map. */
export function explainUnknownKey({ form, key, value, maps }: KeyInMap): UnknownKey {
  const known = keysOf(form)
  const [before] = key.split(':', 1) as [string]
  // What follows the colon is a value, which may be a secret.
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
    return `unknown key${didYouMean(key, known) || `; there is ${known.join(', ')}`}`
  }
  return { name: key, message, meant: meant.length === 1 ? meant[0] : undefined }
}

/** The keys that may have been meant, where letters are wrong, or it is one for many: `mesages`, `identity`. */
function misspelt(key: string, known: readonly string[]): string[] {
  // Of a long text, finding what is similar takes long, and nobody misspelt it.
  if (key.length > 200) return []
  if (nearestName(key, known) === undefined) {
    return known.filter((name) => key.length > 4 && name.startsWith(key.slice(0, -1))).slice(0, 1)
  }
  const nearest = nearestNames(key, known)
  // Letters that have changed places count less than others.
  const swapped = nearest.filter((name) => lettersOf(name) === lettersOf(key))
  return swapped.length > 0 ? swapped : nearest
}

function lettersOf(word: string): string {
  return [...word].sort().join('')
}

/**
 * The one kind of map that a key belongs to, with a value like the one it has: of those inside this map the
 * nearest, else of those around it, else the only one that stands near the top.
 */
function mapWithKey(
  maps: readonly KnownMap[],
  own: Schema,
  key: string,
  value: unknown,
): KnownMap | undefined {
  const here = maps.find(({ form }) => form === own)?.pattern ?? ''
  const holders = mapsWithKey(maps, own, key, value)
  const inside = holders.filter(({ pattern }) => isWithin(pattern, here))
  const nearest = Math.min(...inside.map(depthOf))
  const around = holders.filter(({ pattern }) => isWithin(here, pattern))
  const farthest = Math.max(...around.map(depthOf))
  const nearby = inside.filter((map) => depthOf(map) === nearest)
  const choices = [
    nearby,
    // What there is one of, before what there may be many of.
    nearby.filter(({ pattern }) => !pattern.endsWith('[]')),
    around.filter((map) => depthOf(map) === farthest),
    holders.filter((map) => depthOf(map) < 2),
  ]
  return choices.find(({ length }) => length === 1)?.[0]
}

/** The maps with such a key: those that accept the value, else those that have values of its kind there. */
function mapsWithKey(maps: readonly KnownMap[], own: Schema, key: string, value: unknown): KnownMap[] {
  const holders = maps.filter(({ form, shape }) => form !== own && takes(shape, key, value))
  const accepting = holders.filter(({ shape }) => z.core.safeParse(shape[key] as z.ZodType, value).success)
  return accepting.length > 0 ? accepting : holders
}

function takes(shape: KnownMap['shape'], key: string, value: unknown): boolean {
  const schema = Object.hasOwn(shape, key) ? shape[key] : undefined
  return schema !== undefined && formsOf(schema).some((form) => kindOfForm(form) === kindOf(value))
}

function isWithin(pattern: string, outer: string): boolean {
  return outer === '' ? pattern !== '' : pattern.startsWith(outer) && pattern.length > outer.length
}

function depthOf({ pattern }: KnownMap): number {
  return pattern === '' ? 0 : pattern.split('.').length
}
