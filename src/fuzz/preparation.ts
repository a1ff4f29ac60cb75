import { type Expectation, type InvariantName, invariantNames } from '../world/index.js'
import type { Client, PlayedStory, ReliedReading } from './facts.js'
import type { FuzzedScenario } from './fuzzed-scenario.js'
import { type ExpectationForms, expectationKey, invariant, type JudgingFacts } from './judging.js'
import {
  type Content,
  contentOf,
  type MailElement,
  type PlanElement,
  poolOf,
  type Vary,
  varyKinds,
} from './kinds/index.js'

/** The facts about a client before its first plan. */
export interface Preparation {
  readonly base: PlayedStory
  /** The facts by which plans are judged; undefined if the client fails without any change. */
  readonly facts: JudgingFacts | undefined
  /** The readings that it relies on, also where mail has no text, no plain text, or the like. */
  readonly relied: readonly ReliedReading[]
  /** Why the client fails without any change; null if it passes. */
  readonly problem: string | null
  readonly played: number
}

/** The number of requests after which an unknown client is stopped. */
const maxRequests = 20_000

/**
 * Plays the story twice without changes, and with harmless mail. A check that fails there, or differs between the
 * two runs, cannot judge a client. `within` is the limit for the run in story time, in milliseconds.
 */
export async function prepareJudging(
  scenario: FuzzedScenario,
  client: Client,
  within: number | undefined,
  kinds: readonly Vary[] = varyKinds,
): Promise<Preparation> {
  const { initialState, document } = scenario
  const all = writtenExpectations(initialState.expectations, document.expect ?? [])
  const kept = invariantNames.filter((name) => name !== 'writes-nothing-else').map((name) => invariant(name))
  const checked = [...all, ...kept].map((one) => one.checked)
  let played = 0
  const play = async (elements: readonly PlanElement[]): Promise<PlayedStory> => {
    played++
    return client.play(await scenario.stateOf(elements, checked), maxRequests)
  }
  const base = await play([])
  const second = base.passed && base.requests > 0 ? await play([]) : base
  const failed = [base, second].flatMap(({ verdicts }) => verdicts.filter(({ passed }) => !passed))
  const own = failed.find(({ index }) => index < all.length)
  const problem = base.why ?? second.why ?? (own ? `${own.describe} Found ${own.found}.` : null)
  if (problem !== null) return { base, facts: undefined, relied: [], problem, played }
  const broken = new Set(failed.map(({ index }) => index))
  const invariants = new Set<InvariantName>(
    invariantNames.filter((name) => {
      const index = all.length + kept.findIndex(({ written }) => written.invariant === name)
      return name === 'writes-nothing-else' ? sameWrites(base, second) : !broken.has(index)
    }),
  )
  const hasMail = kinds.includes('mail')
  const isProbed = base.requests > 0 && (hasMail || kinds.includes('sizes'))
  const sensitive = isProbed ? await probe(scenario, base, all, play) : new Map()
  const isRelied = base.requests > 0 && hasMail && kinds.includes('readings')
  const relied = isRelied ? await reliedUnderMail(scenario, base, play) : base.relied
  const endsWithin = base.ended && second.ended ? within : undefined
  return {
    base,
    facts: { base, expected: all, sensitive, invariants, endsWithin },
    relied,
    problem: null,
    played,
  }
}

function sameWrites(one: PlayedStory, other: PlayedStory): boolean {
  return one.writes.join('\n') === other.writes.join('\n')
}

function writtenExpectations(
  checked: readonly Expectation[],
  written: readonly object[],
): ExpectationForms[] {
  return checked.map((one, index) => ({
    checked: one,
    written: written[index] as ExpectationForms['written'],
  }))
}

/**
 * Plays the story with plain mail from the start, and returns the expectations that do not tolerate it, such as a
 * number of threads.
 */
async function probe(
  scenario: FuzzedScenario,
  base: PlayedStory,
  all: readonly ExpectationForms[],
  play: (elements: readonly PlanElement[]) => Promise<PlayedStory>,
): Promise<Map<Content, Set<string>>> {
  const { document, initialState } = scenario
  const pool = poolOf({ document, initialState, base })
  const [list] = [...base.operations.keys()].filter(
    (name) => name === 'threads.list' || name === 'messages.list',
  )
  const sensitive = new Map<Content, Set<string>>()
  if (list === undefined) return sensitive
  const mail = pool.mail.filter(({ form, when: { request, nth } }) => {
    return form === 'plain' && request === list && nth === 1
  })
  const at = (place: number) => mail.find(({ receive }) => receive.place === place)
  const begun = mail.find((one) => contentOf(one)?.brought === 'new-thread')
  const [size] = pool.sizes
  const more = size && { ...size, threads: size.threads - size.added + 1, added: 1 }
  for (const element of [at(1), at(-1), begun, more]) {
    if (!element) continue
    const content = contentOf(element)?.brought as Content
    const names = sensitive.get(content) ?? new Set<string>()
    sensitive.set(content, names)
    const { passed, verdicts } = await play([element])
    if (!passed) names.add('command')
    for (const verdict of verdicts) {
      const one = all[verdict.index]
      if (!verdict.passed && one) names.add(expectationKey(one))
    }
  }
  return sensitive
}

/** The forms of mail that are rendered differently from ordinary mail. */
const bodies: ReadonlySet<MailElement['form']> = new Set<MailElement['form']>([
  'empty',
  'html-only',
  'odd',
  'huge',
])

/** Plays the story with mail of some forms, since some readings only matter to such mail. */
async function reliedUnderMail(
  { document, initialState }: FuzzedScenario,
  base: PlayedStory,
  play: (elements: readonly PlanElement[]) => Promise<PlayedStory>,
): Promise<ReliedReading[]> {
  const { mail } = poolOf({ document, initialState, base })
  const matters = mail.filter(({ form, receive }) => receive.place === 1 && bodies.has(form))
  const forms = new Map(matters.map((one) => [one.form, one]))
  const relied = [...base.relied]
  for (const element of forms.values()) relied.push(...(await play([element])).relied)
  return relied
}
