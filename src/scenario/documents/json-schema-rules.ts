import { type Gap, gapIds, gaps } from '../../contract/gaps.js'
import { effectsOf } from '../../world/faults/fault.js'
import { expectationKinds, keysBeside } from '../format/expectation.js'
import { timelineActions } from '../format/timeline.js'
import type { JsonSchema } from './json-schema.js'

/** What the checks of some parts of the format come to in JSON Schema. */
const rules: Readonly<Record<string, (part: JsonSchema) => JsonSchema>> = {
  attachment: () => ({ anyOf: ['file', 'content', 'text'].map(having) }),
  timeline_entry: () => ({ allOf: [oneOf(['after', 'at']), oneOf(timelineActions)] }),
  outcome: () => ({ anyOf: ['thread', 'message'].map(having) }),
  fault: ({ properties = {} }) => ({ anyOf: effectsAmong(Object.keys(properties)).map(having) }),
  expectation: expectationRules,
  parameter: ({ properties = {} }) => ({
    // What stands beside a thread is whose it is, and nothing else.
    dependentRequired: { identity: ['thread'] },
    allOf: Object.keys(properties)
      .filter((key) => key !== 'thread' && key !== 'identity')
      .map((key) => ({ not: { required: ['thread', key] } })),
  }),
  readings: readingsByGap,
}

/** A part of the format with the rules that concern several of its keys. */
export function withRules(name: string, part: JsonSchema): JsonSchema {
  return { ...part, ...rules[name]?.(part) }
}

function having(key: string): JsonSchema {
  return { required: [key] }
}

function oneOf(keys: readonly string[]): JsonSchema {
  return { oneOf: keys.map(having) }
}

/** What a fault does, among what may be said of it. */
function effectsAmong(keys: readonly string[]): readonly string[] {
  return effectsOf(Object.fromEntries(keys.map((key) => [key, true])))
}

/** The first kind there is says which other keys may be there. */
function expectationRules({ properties = {} }: JsonSchema): JsonSchema {
  const bound = new Set<string>([...expectationKinds, ...Object.values(keysBeside).flat()])
  const anywhere = Object.keys(properties).filter((key) => !bound.has(key))
  const byKind = expectationKinds.toReversed().reduce<JsonSchema>((otherwise, kind) => {
    const keys = [kind, ...keysBeside[kind], ...anywhere]
    const allowed = { propertyNames: { enum: keys }, ...(keys.includes('has') && having('has')) }
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    return { if: having(kind), then: allowed, else: otherwise }
  }, {})
  const counts = ['at_least', 'at_most'].map((bound) => ({ not: { required: ['times', bound] } }))
  return { anyOf: expectationKinds.map(having), allOf: [byKind, ...counts] }
}

function readingsByGap(): JsonSchema {
  const properties = gapIds.map((id) => {
    const { question, readings }: Gap = gaps[id]
    const names = readings.map(({ name }) => name)
    return [id, { description: question, enum: [...names, ...names.flatMap(asYaml)], default: names[0] }]
  })
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}

/** What YAML makes of a name that it does not take for text: 403, null. */
function asYaml(name: string): (number | null)[] {
  if (name === 'null') return [null]
  return /^\d+$/.test(name) ? [Number(name)] : []
}
