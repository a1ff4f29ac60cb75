import type { z } from '../../contract/schema.js'

/** A part of the format, with what it is made of in sight. */
export type Schema = z.core.$ZodTypes

/** What a value is, as far as YAML tells values apart. */
export type Kind = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'map' | 'missing' | 'other'

/** The kind of a value. */
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

/** Every form a value may take: the options of a choice, without what makes them optional or fills them in. */
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

/** The kind of values that a form is about. */
export function kindOfForm(form: Schema): Kind {
  const { def } = form._zod
  return def.type === 'literal' ? kindOf(def.values[0]) : (kindsOfForms[def.type] ?? 'other')
}

/** The form that is about values of the kind found, or else the only one there is. */
export function formFor(schema: z.core.$ZodType, value: unknown): Schema | undefined {
  const forms = formsOf(schema)
  return (
    forms.find((form) => kindOfForm(form) === kindOf(value)) ?? (forms.length === 1 ? forms[0] : undefined)
  )
}

/** The keys that maps of a form have; those of a record only where they are given. */
export function keysOf(form: Schema | undefined): string[] {
  const def = form?._zod.def
  if (def?.type === 'object') return Object.keys(def.shape)
  if (def?.type !== 'record') return []
  return formsOf(def.keyType).flatMap(({ _zod: { def: key } }) => {
    return key.type === 'enum' ? Object.values(key.entries).map(String) : []
  })
}

/** One kind of map that the format has. */
export interface KnownMap {
  /** Where such maps first stand, e.g. `identities[].threads[]`; the scenario itself is the empty text. */
  readonly pattern: string
  readonly form: Schema
  readonly shape: Readonly<Record<string, z.core.$ZodType>>
}

/** Every kind of map in a format, the outer before the inner. */
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

/** Whether anything may stand there, however deep. */
function isOpen(schema: z.core.$ZodType): boolean {
  const { def } = (schema as Schema)._zod
  return def.type === 'optional' ? isOpen(def.innerType) : def.type === 'lazy'
}

/** The pattern of a key of the maps that stand at a pattern. */
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

/** What people call the maps that stand at a pattern: `identities[]` → `an identity`. */
export function nounOf(pattern: string): string {
  if (pattern === '') return 'the scenario itself'
  const name = pattern.replace(/\[\]$/, '').split('.').at(-1) as string
  return pattern.endsWith('[]') ? (entries[name] ?? `an entry of "${name}"`) : `"${name}"`
}
