import type { OperationName } from 'agent-mailbox-sim'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OperationObject, SchemaObject } from '../../src/contract/openapi/document.js'
import type { OpenApiDocument } from '../../src/contract/openapi.js'
import { operationNames, operations } from '../../src/contract/operations.js'

/** Returns the schema violations of an answer. */
export type FaultsOf = (operation: OperationName, answer: unknown) => string[]

/** Reads the schema of every 200 response of a document with an independent validator. */
export function createFaultsOf({ components, paths }: OpenApiDocument): FaultsOf {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
  formats.default(ajv)
  ajv.addVocabulary(['x-gaps', 'x-interface-part', 'components'])
  const validators = new Map(
    operationNames.map((name) => {
      const schema = answerSchema(operationOf({ paths }, name))
      return [name, ajv.compile({ ...schema, components })]
    }),
  )
  return (operation, answer) => {
    const validate = validators.get(operation)
    if (!validate || validate(answer)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

/** The document's own description of an operation. */
export function operationOf({ paths }: Pick<OpenApiDocument, 'paths'>, name: OperationName): OperationObject {
  const { path, method } = operations[name]
  const found = paths[path]?.[method === 'GET' ? 'get' : 'patch']
  if (!found) throw new Error(`The document has no ${name}.`)
  return found
}

function answerSchema({ responses }: OperationObject): SchemaObject {
  const { schema } = responses[200].content?.['application/json'] ?? {}
  if (!schema) throw new Error('The 200 has no schema.')
  return schema
}

/** The same document with unlisted fields forbidden. */
export function closed(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (_, value) => {
    const isShape = value?.type === 'object' && value.properties !== undefined
    return isShape ? { additionalProperties: false, ...value } : value
  })
}
