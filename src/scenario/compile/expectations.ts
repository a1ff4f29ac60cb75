import { everyOperationName } from '../../contract/extensions.js'
import type { GapId } from '../../contract/gaps.js'
import { formatMailbox, parseMailboxList } from '../../mail/index.js'
import {
  type Expectation,
  type ExpectedValue,
  type Milestone,
  parseDuration,
  type RequestCondition,
  type StateExpectation,
  type StoryWindow,
} from '../../world/index.js'
import type { ScenarioExpectation } from '../format/index.js'
import type { Path } from '../problems/problem.js'
import type { ResolvedExpectation, Subject } from '../resolve/expectations.js'
import type { KeyedThread } from '../resolve/names.js'
import type { Compilation } from './compilation.js'
import type { Texts } from './texts.js'

/**
 * Compiles expectations: keys become ids, templates get the values they have in the story. `places` maps the key of a
 * timeline entry to the position where it first happens.
 */
export async function compileExpectations(
  compilation: Compilation,
  expectations: readonly ResolvedExpectation[],
  places: ReadonlyMap<string, number>,
): Promise<Expectation[]> {
  const positions = new Map<string, number>()
  for (const [index, { expectation }] of expectations.entries()) {
    if (expectation.key !== undefined) positions.set(expectation.key, index)
  }
  const names = everyOperationName(compilation.extensions)
  const compiled: Expectation[] = []
  for (const resolved of expectations) {
    const window = windowOf(resolved.expectation, { places, positions, names })
    const expectation = await compileExpectation(compilation, resolved, window)
    if (expectation) compiled.push(expectation)
    await compilation.texts.turn()
  }
  return compiled
}

async function compileExpectation(
  compilation: Compilation,
  { expectation, path, subject, threads }: ResolvedExpectation,
  window: StoryWindow,
): Promise<Expectation | undefined> {
  const { key = null, describe = null, request, delivery, reliances, errors, invariant } = expectation
  const named = { key, describe }
  if (subject) return { ...named, ...(await compileSubject(compilation, subject, expectation, path)), window }
  const { times, at_least, at_most: most = null } = expectation
  // The default is one or more.
  const least = at_least ?? (most === null ? 1 : 0)
  const amount = times === undefined ? { least, most } : { least: times, most: times }
  if (request !== undefined) {
    const where = conditionOf(expectation.where ?? {}, threads)
    return { ...named, kind: 'request', operation: request, where, amount, window }
  }
  if (delivery !== undefined) {
    const { status = null, url = null } = expectation
    return { ...named, kind: 'delivery', event: delivery, status, url, amount, window }
  }
  if (reliances) return { ...named, kind: 'reliances', gaps: reliances as GapId[] }
  if (invariant) {
    const { at_most: atMost = null, writes = null } = expectation
    return { ...named, kind: 'invariant', invariant, atMost, writes, window }
  }
  return errors && { ...named, kind: 'errors', except: expectation.except ?? [] }
}

/** The things that `before` and `after` may name. */
interface Moments {
  readonly places: ReadonlyMap<string, number>
  readonly positions: ReadonlyMap<string, number>
  /** Names of operations. */
  readonly names: readonly string[]
}

/** Compiles the part of the story that an expectation is about. */
function windowOf(
  { after, before, within }: ScenarioExpectation,
  { places, positions, names }: Moments,
): StoryWindow {
  const mark = (name: string | undefined): Milestone | null => {
    if (name === undefined) return null
    const operation = names.find((known) => known === name)
    if (operation) return { name, kind: 'operation', operation }
    const entry = places.get(name)
    if (entry !== undefined) return { name, kind: 'entry', entry }
    const expectation = positions.get(name)
    return expectation === undefined ? null : { name, kind: 'expectation', expectation }
  }
  return {
    after: mark(after),
    before: mark(before),
    within: within === undefined ? null : { text: within, milliseconds: parseDuration(within) as number },
  }
}

type Where = NonNullable<ScenarioExpectation['where']>

/** Compiles the condition on requests. */
function conditionOf(
  { query, ...where }: Where,
  threads: ReadonlyMap<string, KeyedThread>,
): RequestCondition {
  const parameters = Object.entries(query ?? {}).map(([name, parameter]): [string, ExpectedValue] => {
    const thread = threads.get(name)
    return [name, thread ? { threadId: thread.id, key: thread.key } : parameter]
  })
  return { ...where, ...(query && { query: Object.fromEntries(parameters) }) }
}

async function compileSubject(
  compilation: Compilation,
  subject: Subject,
  { has = {} }: ScenarioExpectation,
  path: Path,
): Promise<Pick<StateExpectation, 'kind' | 'id' | 'name' | 'has'>> {
  const fields: [string, ExpectedValue][] = []
  for (const [field, value] of Object.entries(has)) {
    fields.push([field, await fieldOf(compilation.texts, subject, field, value, [...path, 'has', field])])
  }
  const { kind, id, name } = subject
  return { kind, id, name, has: Object.fromEntries(fields) }
}

type Field = NonNullable<ScenarioExpectation['has']>[string]

/** Compiles the expected value of a field; templates get the values they have in the story. */
async function fieldOf(
  texts: Texts,
  { owner, sourceOf }: Subject,
  field: string,
  value: Field,
  path: Path,
): Promise<ExpectedValue> {
  const filled = async (template: string, at: Path): Promise<string> => {
    if (!template.includes('{{')) return template
    const name = sourceOf(field)
    if (name !== undefined) return texts.fill(template, { name, path: at, locale: owner.locale })
    texts.problem(at, `no template is filled in here: "${field}" follows from the rest of the story`)
    return template
  }
  if (typeof value === 'string') {
    const text = await filled(value, path)
    // In the form in which messages show a sender.
    const [sender] = field === 'from' ? parseMailboxList(text) : []
    return sender ? formatMailbox(sender) : text
  }
  if (typeof value !== 'object' || value === null || value.contains === undefined) return value
  return { ...value, contains: await filled(value.contains, [...path, 'contains']) }
}
