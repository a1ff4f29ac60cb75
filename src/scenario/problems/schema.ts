import type { z } from '../../contract/schema.js'

/** A part of the format, whose definition can be inspected. */
export type Schema = z.core.$ZodTypes

/** The kinds of values that YAML distinguishes. */
export type Kind = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'map' | 'missing' | 'other'

/** Returns the kind of a value. */
export function kindOf(value: unknown): Kind {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  const kinds: Partial<Record<string, Kind>> = {
    string: 'text',
    number: 'number',
    boolean: 'boolean',
    object: 'map',
  }
  return kinds[typeof value] ?? 'other'
}

/** Returns the forms that a value may take: the options of unions, without wrappers such as `optional` and `default`. */
export function formsOf(schema: z.core.$ZodType): Schema[] {
  const { def } = (schema as Schema)._zod
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'nullable':
      return formsOf(def.innerType)
    case 'pipe':
      return formsOf(def.in)
    case 'lazy':
      return formsOf(def.getter())
    case 'union':
      return def.options.flatMap(formsOf)
    default:
      return [schema as Schema]
  }
}

const kindsOfForms: Partial<Record<Schema['_zod']['def']['type'], Kind>> = {
  string: 'text',
  enum: 'text',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  array: 'list',
  tuple: 'list',
  object: 'map',
  record: 'map',
}

/** Returns the kind of values of a form. */
function kindOfForm(form: Schema): Kind {
  const { def } = form._zod
  return def.type === 'literal' ? kindOf(def.values[0]) : (kindsOfForms[def.type] ?? 'other')
}

/** Returns the form for values of a kind, if there is one. */
export function formOfKind(schema: z.core.$ZodType, kind: Kind): Schema | undefined {
  return formsOf(schema).find((form) => kindOfForm(form) === kind)
}

/** Returns the form for values of this kind, or else the only form. */
export function formFor(schema: z.core.$ZodType, value: unknown): Schema | undefined {
  const [only, ...others] = formsOf(schema)
  return formOfKind(schema, kindOf(value)) ?? (others.length === 0 ? only : undefined)
}

/** Returns the keys of a form's maps; for a record, only if they are enumerated. */
export function keysOf(form: Schema | undefined): string[] {
  const def = form?._zod.def
  if (def?.type === 'object') return Object.keys(def.shape)
  if (def?.type !== 'record') return []
  return formsOf(def.keyType).flatMap(({ _zod: { def: key } }) => {
    return key.type === 'enum' ? Object.values(key.entries).map(String) : []
  })
}

/** A kind of map in the format. */
export interface KnownMap {
  /** The pattern of their first place, e.g. `identities[].threads[]`; empty for the scenario itself. */
  readonly pattern: string
  readonly form: Schema
  readonly shape: Readonly<Record<string, z.core.$ZodType>>
}

/** Returns every kind of map in a format, the outer ones first. */
export function mapsOf(schema: z.core.$ZodType): KnownMap[] {
  const seen = new Set<Schema>()
  const maps: KnownMap[] = []
  const visit = (part: z.core.$ZodType, pattern: string): void => {
    if (isOpen(part)) return
    for (const form of formsOf(part)) {
      if (seen.has(form)) continue
      seen.add(form)
      const { def } = form._zod
      if (def.type === 'array') visit(def.element, `${pattern}[]`)
      if (def.type === 'record') visit(def.valueType, `${pattern}.*`)
      if (def.type !== 'object') continue
      maps.push({ pattern, form, shape: def.shape })
      for (const [key, child] of Object.entries(def.shape)) visit(child, patternOf(pattern, key))
    }
  }
  visit(schema, '')
  return maps
}

/** Returns whether a part of the format accepts any value. */
function isOpen(schema: z.core.$ZodType): boolean {
  const { def } = (schema as Schema)._zod
  return def.type === 'optional' ? isOpen(def.innerType) : def.type === 'lazy'
}

/** Returns the pattern of a key in the maps of a pattern. */
export function patternOf(pattern: string, key: string): string {
  return pattern === '' ? key : `${pattern}.${key}`
}

const entries: Readonly<Record<string, string>> = {
  attachments: 'an attachment',
  expect: 'an expectation',
  identities: 'an identity',
  messages: 'a message',
  organizations: 'a further organization',
  threads: 'a thread',
  timeline: 'an entry of the timeline',
  webhooks: 'a webhook',
}

/** Returns a noun for the maps of a pattern: `an identity` for `identities[]`. */
export function nounOf(pattern: string): string {
  if (pattern === '') return 'the scenario itself'
  const name = pattern.replace(/\[\]$/, '').split('.').at(-1) as string
  return pattern.endsWith('[]') ? (entries[name] ?? `an entry of "${name}"`) : `"${name}"`
}
