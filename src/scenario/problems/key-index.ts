import type { z } from '../../contract/schema.js'
import { formsOf, type Schema } from './schema-walk.js'

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
