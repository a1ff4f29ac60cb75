import { didYouMean, nearestName, nearestNames } from '../../contract/nearest.js'
import { z } from '../../contract/schema.js'
import { orJoin } from './expected.js'
import { type KnownMap, mapsOf, nounOf, patternOf } from './key-index.js'
import type { Path } from './places.js'
import { formFor, formsOf, keysOf, kindOf, kindOfForm, schemaAt, valueAt } from './schema-walk.js'

/** What is wrong with a key that the format does not have. */
export interface UnknownKey {
  readonly path: Path
  /** The key as it stands there. */
  readonly key: string
  readonly message: string
  /** The key of that place it was meant to be, as far as that can be told. */
  readonly meant?: string
}

/** Explains a key that has no meaning in the map at `path`, part of the whole `value`. */
export function explainUnknownKey(
  schema: z.core.$ZodType,
  value: unknown,
  path: Path,
  key: string,
): UnknownKey {
  const part = schemaAt(schema, value, path)
  const form = part && formFor(part, valueAt(value, path))
  const known = keysOf(form)
  const [before] = key.split(':', 1) as [string]
  // What follows the colon is a value, which may be a secret.
  if (before !== key && known.includes(before)) {
    return { path: [...path, before], key, message: 'a space is missing after the ":"' }
  }
  const own = [...path, key]
  if (key === '<<')
    return { path: own, key, message: 'there are no merge keys in YAML 1.2; write the keys out' }
  if (key.startsWith('//')) return { path: own, key, message: 'unknown key; a comment begins with "#"' }
  const meant = misspelt(key, known)
  if (meant.length > 0) {
    const message = `unknown key; did you mean ${orJoin(meant.map((name) => `"${name}"`))}?`
    return { path: own, key, message, ...(meant.length === 1 && { meant: meant[0] as string }) }
  }
  const home = homeOf(mapsOf(schema), form, key, valueAt(value, own))
  if (home) {
    const message = `unknown key; it belongs to ${nounOf(home.pattern)}: ${patternOf(home.pattern, key)}`
    return { path: own, key, message }
  }
  const hint =
    didYouMean(
      key,
      known.filter((name) => isLike(key, name)),
    ) || `; there is ${known.join(', ')}`
  return { path: own, key, message: `unknown key${hint}` }
}

/** The keys that may have been meant, where letters are wrong, or it is one for many: `mesages`, `identity`. */
function misspelt(key: string, known: readonly string[]): string[] {
  const alike = known.filter((name) => isLike(key, name))
  if (nearestName(key, alike) === undefined) {
    return known.filter((name) => key.length > 4 && name.startsWith(key.slice(0, -1))).slice(0, 1)
  }
  const nearest = nearestNames(key, alike)
  // Letters that have changed places count less than others.
  const swapped = nearest.filter((name) => [...name].sort().join('') === [...key].sort().join(''))
  return swapped.length > 0 ? swapped : nearest
}

/** Of short words, two letters wrong are another word. */
function isLike(key: string, name: string): boolean {
  return key.length > 3 || [...key].some((letter) => name.includes(letter))
}

type MapForm = ReturnType<typeof formFor>

/**
 * The one kind of map that a key belongs to, with a value like the one it has: of those inside this map the
 * nearest, else of those around it, else the only one that stands near the top.
 */
function homeOf(maps: readonly KnownMap[], own: MapForm, key: string, value: unknown): KnownMap | undefined {
  const here = maps.find(({ form }) => form === own)?.pattern ?? ''
  const takers = takersOf(maps, own, key, value)
  const inside = takers.filter(({ pattern }) => isWithin(pattern, here))
  const nearest = Math.min(...inside.map(depthOf))
  const around = takers.filter(({ pattern }) => isWithin(here, pattern))
  const farthest = Math.max(...around.map(depthOf))
  const nearby = inside.filter((map) => depthOf(map) === nearest)
  const choices = [
    nearby,
    // What there is one of, before what there may be many of.
    nearby.filter(({ pattern }) => !pattern.endsWith('[]')),
    around.filter((map) => depthOf(map) === farthest),
    takers.filter((map) => depthOf(map) < 2),
  ]
  return choices.find(({ length }) => length === 1)?.[0]
}

/** The maps with such a key: those that accept the value, else those that have values of its kind there. */
function takersOf(maps: readonly KnownMap[], own: MapForm, key: string, value: unknown): KnownMap[] {
  const takers = maps.filter(({ form, shape }) => form !== own && takes(shape, key, value))
  const accepting = takers.filter(({ shape }) => z.core.safeParse(shape[key] as z.ZodType, value).success)
  return accepting.length > 0 ? accepting : takers
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
