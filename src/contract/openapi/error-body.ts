import type { AssumptionOf, Assumptions } from '../gaps.js'
import type { SchemaObject } from './document.js'

const text = { type: 'string' } as const

const codeAndMessage = { code: text, message: text }

/** The fields of an error's body under each assumption; all of them are always there. */
const fieldsUnder: Readonly<Record<AssumptionOf<'errors.body'>, Readonly<Record<string, SchemaObject>>>> = {
  'error-object': { error: objectOf(codeAndMessage) },
  flat: codeAndMessage,
  problem: { type: text, title: text, status: { type: 'integer' }, detail: text },
  detail: { detail: text },
  message: { message: text },
}

/** Returns the media type and the schema of an error's body as an assumption shows it: clients of generators have no fields of `{}`. */
export function errorBodyUnder(
  assumptions: Assumptions,
): Readonly<Record<string, { readonly schema: SchemaObject }>> {
  const assumption = assumptions['errors.body']
  const type = assumption === 'problem' ? 'application/problem+json' : 'application/json'
  return { [type]: { schema: objectOf(fieldsUnder[assumption]) } }
}

function objectOf(properties: Readonly<Record<string, SchemaObject>>): SchemaObject {
  return { type: 'object', properties, required: Object.keys(properties) }
}
