import { didYouMean, nearestName, nearestNames } from '../../contract/nearest.js'
import { z } from '../../contract/schema.js'
import { orJoin } from './expected.js'
import { type KnownMap, nounOf, patternOf } from './key-index.js'
import type { Path } from './places.js'
import { formFor, formsOf, keysOf, kindOf, kindOfForm, schemaAt, valueAt } from './schema-walk.js'

/** What is wrong with a key that the format does not have. */
export interface UnknownKey {
  /** Where it stands, and, without a value that has become part of it, what it is called. */
  readonly place: Path
  readonly path: Path
  /** The key as it stands there. */
  readonly key: string
  readonly message: string
  /** The key of that place it was meant to be, as far as that can be told. */
  readonly meant?: string
}

/** A value and the format it is to fit. */
export interface Whole {
  readonly schema: z.core.$ZodType
  readonly value: unknown
  /** Every kind of map that the format has. */
  readonly maps: readonly KnownMap[]
}

/** Explains a key that has no meaning in the map at `path`. */
export function explainUnknownKey({ schema, value, maps }: Whole, path: Path, key: string): UnknownKey {
  const part = schemaAt(schema, value, path)
  const form = part && formFor(part, valueAt(value, path))
  const known = keysOf(form)
  const own = [...path, key]
  const [before] = key.split(':', 1) as [string]
  // What follows the colon is a value, which may be a secret.
  if (before !== key && known.includes(before)) {
    return { place: own, path: [...path, before], key, message: 'a space is missing after the ":"' }
  }
  const meant = misspelt(key, known)
  const home = meant.length > 0 ? undefined : homeOf(maps, form, key, valueAt(value, own))
  const message = messageFor(key, { known, meant, home })
  return { place: own, path: own, key, message, ...(meant.length === 1 && { meant: meant[0] as string }) }
}

interface Findings {
  readonly known: readonly string[]
  readonly meant: readonly string[]
  readonly home: KnownMap | undefined
}

function messageFor(key: string, { known, meant, home }: Findings): string {
  if (key === '<<') return 'there are no merge keys in YAML 1.2; write the keys out'
  if (key.startsWith('//')) return 'unknown key; a comment begins with "#"'
  if (meant.length > 0) return `unknown key; did you mean ${orJoin(meant.map((name) => `"${name}"`))}?`
  if (home) {
    return `unknown key; it belongs to ${nounOf(home.pattern)}: ${patternOf(home.pattern, key)}`
  }
  return `unknown key${didYouMean(key, known) || `; there is ${known.join(', ')}`}`
}

/** The keys that may have been meant, where letters are wrong, or it is one for many: `mesages`, `identity`. */
function misspelt(key: string, known: readonly string[]): string[] {
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
