import { z } from '../../base/schema.js'
import { having, key, rule } from '../format/values.js'
import { problemWithAmount, sharedKeys } from './keys.js'
import { expectationKindNames, expectationKinds, type KindKeys, kindIn, kindNamed } from './kinds.js'

/** The keys of every expectation. */
const commonKeys = {
  key: key.optional().describe('Names the expectation in reports.'),
  describe: z.string().optional().describe('A sentence for reports that says what must be true.'),
  weight: z
    .number()
    .min(0)
    .optional()
    .describe('How much it counts in the score of a replay; by default one.'),
}

const ownKeys = Object.values(expectationKinds)
  .flatMap(({ keys }) => Object.entries(keys))
  .filter(([name]) => !(name in sharedKeys))
const isSubject = ([name]: readonly [string, unknown]): boolean => name in expectationKinds

/** The keys of all kinds: first those that say what it is about, last those that several kinds take. */
const shape = {
  ...commonKeys,
  ...Object.fromEntries([...ownKeys.filter(isSubject), ...ownKeys.filter((one) => !isSubject(one))]),
  ...sharedKeys,
} as typeof commonKeys & KindKeys

/** Returns the keys that a kind allows besides its own. */
export function keysBeside(kind: keyof typeof expectationKinds): string[] {
  return Object.keys(expectationKinds[kind].keys).filter((name) => name !== kind)
}

/** Expresses the rules of `problemWith` in JSON Schema: the first kind present determines the other allowed keys. */
function rules() {
  const byKind = expectationKindNames.toReversed().reduce<object>((otherwise, kind) => {
    const { required } = kindNamed(kind)
    const keys = [kind, ...keysBeside(kind), ...Object.keys(commonKeys)]
    const allowed = { propertyNames: { enum: keys }, ...(required && { required }) }
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    return { if: having(kind), then: allowed, else: otherwise }
  }, {})
  const counts = ['at_least', 'at_most'].map((bound) => ({ not: { required: ['times', bound] } }))
  const own = expectationKindNames.flatMap((kind) => kindNamed(kind).rules ?? [])
  return { anyOf: expectationKindNames.map(having), allOf: [byKind, ...counts, ...own] }
}

/** A condition that must hold at the end of the story. */
export const expectation = z
  .strictObject(shape)
  .check(rule(problemWith))
  .meta({
    id: 'expectation',
    title: 'Expectation',
    description: `Something that must be true at the end of the story: about ${subjects()}.`,
    ...rules(),
  })

/** An expectation as a scenario has it. */
export type ScenarioExpectation = z.output<typeof expectation>

function subjects(): string {
  const all = expectationKindNames.map((kind) => expectationKinds[kind].about)
  return `${all.slice(0, -1).join(', ')}, or ${all.at(-1)}`
}

function problemWith(value: Readonly<Record<string, unknown>>): string | undefined {
  const given = Object.keys(value).filter((name) => value[name] !== undefined && !(name in commonKeys))
  const kind = kindIn(value)
  if (kind === undefined)
    return `the subject is missing: expected one of ${expectationKindNames.toReversed().join(', ')}; found none of them`
  const known = keysBeside(kind)
  const stray = given.find((name) => name !== kind && !known.includes(name))
  if (stray !== undefined) {
    const fits = known.length === 0 ? 'takes no other keys' : `takes ${known.join(', ')}`
    return `"${stray}" does not go with "${kind}", which ${fits}`
  }
  return kindNamed(kind).problemWith?.(value) ?? problemWithAmount(value)
}
