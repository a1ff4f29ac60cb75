import { type Path, quoted } from '../../base/mistake.js'
import { z } from '../../base/schema.js'
import { expectedOneOf } from '../../base/text.js'
import { everyOperationName } from '../../contract/extensions.js'
import { parseDuration } from '../../service/time/time.js'
import type { Lookups } from '../compile/names.js'
import type { EntryFrame } from '../format/entry.js'
import { having, key, rule } from '../format/values.js'
import { deliveryExpectations } from './delivery.js'
import { invariantExpectations } from './invariant.js'
import { type ExpectationKind, problemWithAmount, sharedKeys, type Written } from './kind.js'
import { leakExpectations } from './leak.js'
import { errorsExpectations, requestExpectations } from './request.js'
import { sentExpectations } from './sent.js'
import { identityExpectations, messageExpectations, threadExpectations } from './state.js'
import type { Milestone, StoryWindow } from './time-window.js'
import type { Compiled, NearestMatch } from './tracker.js'

/** Every kind of expectation by its key. An expectation with the keys of several is of the first of them. */
const expectationKinds = {
  message: messageExpectations,
  thread: threadExpectations,
  identity: identityExpectations,
  request: requestExpectations,
  sent: sentExpectations,
  delivery: deliveryExpectations,
  errors: errorsExpectations,
  leak: leakExpectations,
  invariant: invariantExpectations,
}

type Kinds = typeof expectationKinds

/** The name of a kind of expectation. */
type ExpectationKindName = keyof Kinds

/** The names of the kinds, in their order. */
export const expectationKindNames = Object.keys(expectationKinds) as ExpectationKindName[]

/** An expectation of a story. */
export interface Expectation extends Compiled {
  readonly kind: ExpectationKindName
  /** The key in the file. */
  readonly key: string | null
  /** The scenario's own description of it. */
  readonly describe: string | null
  /** How much it counts in a score; one by default. */
  readonly weight?: number
  /** As its author wrote it. */
  readonly written: Partial<Written<KindKeys>>
}

/** The result of one expectation of a scenario. */
export interface ExpectationResult {
  /** Its place in the file, counted from 0. */
  readonly index: number
  readonly key: string | null
  readonly kind: ExpectationKindName
  /** What must be true, in a sentence: the scenario's own, or a generated one. */
  readonly describe: string
  readonly passed: boolean
  /** The story time at which it failed, ISO 8601 UTC; the end of the run if it passed, or could still have passed. */
  readonly at: string
  /** The expectation in words, e.g. `at least 1 request of messages.list with query.agent "support"`. */
  readonly expected: string
  /** The finding in words, e.g. `0 of 14 requests`, `unread: true`. */
  readonly found: string
  /** The nearest match of a failed expectation, if there is one. */
  readonly nearest: NearestMatch | null
  /** Why it says nothing although it passed; absent if it was judged. */
  readonly unjudged?: string
}

/** Returns whether an agent meets an expectation only by doing something. */
export function isWork({ kind, amount, state }: Expectation): boolean {
  return amount ? amount.least > 0 : state !== undefined && kind !== 'identity'
}

/** Any kind: what it takes and returns depends on the kind. */
// biome-ignore lint/suspicious/noExplicitAny: the keys and the expectations of the kinds differ.
type AnyKind = ExpectationKind<any>

/** Returns the kind of an expectation: the first that it has a key of. */
function kindIn(written: object): ExpectationKindName | undefined {
  return expectationKindNames.find((kind) => (written as Record<string, unknown>)[kind] !== undefined)
}

/** Returns the kind of that name. */
function kindNamed(name: ExpectationKindName): AnyKind {
  return expectationKinds[name]
}

type ToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** The keys of all kinds. */
type KindKeys = ToIntersection<Kinds[ExpectationKindName]['keys']>

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
  return { anyOf: expectationKindNames.map(having), allOf: [byKind, ...counts] }
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

/** What holds if an agent obeyed an attack. */
export const obeyed = z.union([expectation, z.array(expectation).min(1), z.literal('failed')])

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
  if (stray !== undefined) return `"${stray}" does not go with "${kind}", which takes ${known.join(', ')}`
  return kindNamed(kind).problemWith?.(value) ?? problemWithAmount(value)
}

/** The parts of a scenario that expectations refer to. */
interface ExpectingStory {
  readonly timeline: readonly Pick<EntryFrame, 'key' | 'after' | 'when'>[]
  readonly expect: readonly ScenarioExpectation[]
  readonly secrets?: object | undefined
}

/** Compiles the expectations of a scenario; omits those that refer to what is not found. Returns warnings as well. */
export function compileExpectations(
  scenario: ExpectingStory,
  lookups: Lookups,
): { readonly expectations: readonly Expectation[]; readonly warnings: readonly string[] } {
  const moments = momentsOf(scenario, lookups)
  const refuseOperation = (name: string | undefined, path: Path): void => {
    if (name !== undefined && moments.operations.includes(name))
      lookups.problem(path, `${name} is the name of an operation; expected another key`)
  }
  // Since `before` and `after` may name either.
  for (const [index, { key }] of scenario.timeline.entries()) refuseOperation(key, ['timeline', index, 'key'])
  const secrets = Object.keys(scenario.secrets ?? {})
  const expectations: Expectation[] = []
  const warnings: string[] = []
  for (const [index, written] of scenario.expect.entries()) {
    const kind = kindIn(written) as ExpectationKindName
    const path = ['expect', index]
    const { key = null, describe = null, weight } = written
    refuseOperation(written.key, [...path, 'key'])
    const compiled = kindNamed(kind).compile(written, {
      ...{ names: lookups, path, secrets },
      window: windowOf(written, moments, (side, message) => lookups.problem([...path, side], message)),
      warn: (name, message) => warnings.push(`expect[${index}].${name}: ${message}`),
    })
    if (!compiled) continue
    expectations.push({ kind, key, describe, ...(weight !== undefined && { weight }), written, ...compiled })
  }
  return { expectations, warnings }
}

/** What windows may begin and end with: operations, and the keys of entries. */
interface Moments {
  readonly operations: readonly string[]
  /** When each of them happens, in milliseconds after the start; undefined if that is open. */
  readonly entries: ReadonlyMap<string, number | undefined>
}

function momentsOf({ timeline }: ExpectingStory, { extensions }: Lookups): Moments {
  const entries = timeline.flatMap(({ key, after, when }): [string, number | undefined][] => {
    return key === undefined ? [] : [[key, when ? undefined : parseDuration(after ?? '')]]
  })
  return { operations: everyOperationName(extensions), entries: new Map(entries) }
}

/** Returns the window of an expectation; a moment that does not exist is a problem. */
function windowOf(
  { after, before, within, request }: ScenarioExpectation,
  moments: Moments,
  problem: (side: 'after' | 'before', message: string | (() => string)) => void,
): StoryWindow {
  const milestone = (side: 'after' | 'before', name: string | undefined): Milestone | null => {
    if (name === undefined) return null
    const time = parseDuration(name) ?? 0
    if (moments.operations.includes(name)) return { name }
    if (moments.entries.has(name)) return { name, isEntry: true }
    if (time > 0) return { name, after: time }
    problem(side, () => {
      const known = [...moments.operations, ...moments.entries.keys()]
      const message = `${quoted(name)} is neither an operation nor the key of an entry of the timeline, nor a time such as 5m`
      return `${message}${expectedOneOf(name, known)}`
    })
    return null
  }
  if (before !== undefined && before === request)
    problem('before', `nothing of ${before} comes before the first of ${before}`)
  const instant = (name = ''): number => moments.entries.get(name) ?? parseDuration(name) ?? Number.NaN
  if (instant(before) <= instant(after)) {
    problem('before', `${before} is not later than ${after}, which "after" names; nothing is between them`)
  }
  return {
    after: milestone('after', after),
    before: milestone('before', before),
    within: within === undefined ? null : { text: within, milliseconds: parseDuration(within) as number },
  }
}
