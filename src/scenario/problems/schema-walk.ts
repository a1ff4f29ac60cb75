import type { z } from '../../contract/schema.js'
import type { Path } from './places.js'

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

/** What the format has at a path; where it leaves a choice, the value found decides. */
export function schemaAt(schema: z.core.$ZodType, value: unknown, path: Path): z.core.$ZodType | undefined {
  const [step, ...rest] = path
  if (step === undefined) return schema
  const form = formFor(schema, value)
  const child = form && childOf(form, step)
  return child && schemaAt(child, valueAt(value, [step]), rest)
}

function childOf(form: Schema, step: PropertyKey): z.core.$ZodType | undefined {
  const { def } = form._zod
  switch (def.type) {
    case 'array':
      return def.element
    case 'tuple':
      return def.items[Number(step)] ?? def.rest ?? undefined
    case 'record':
      return def.valueType
    case 'object':
      return Object.hasOwn(def.shape, step) ? def.shape[String(step)] : undefined
    default:
      return undefined
  }
}

/** What a value has at a path. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((parent, step) => {
    const isParent = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, step)
    return isParent ? (parent as Record<PropertyKey, unknown>)[step] : undefined
  }, value)
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
