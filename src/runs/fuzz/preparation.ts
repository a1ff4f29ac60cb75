import { type InvariantName, invariantNames } from '../../story/expectations/invariants/invariants.js'
import type { Expectation } from '../../story/expectations/kinds.js'
import type { FuzzedClient } from './client.js'
import type { PlayedStory, ReliedAssumption } from './facts.js'
import type { FuzzedScenario } from './fuzzed-scenario.js'
import { type ExpectationForms, invariant, type JudgingFacts } from './judging.js'
import { type PlanElement, poolOf } from './kinds/kinds.js'
import type { MailElement } from './kinds/mail.js'
import { defaultKinds, type Vary } from './kinds/vary.js'
import { omissionOf } from './outcome.js'

/** The facts about a client before its first plan. */
export interface Preparation {
  readonly base: PlayedStory
  /** The facts by which plans are judged; undefined if the client fails without any change. */
  readonly facts: JudgingFacts | undefined
  /**
   * The assumptions that it relies on, including those for messages without text, without plain text, and so on.
   */
  readonly relied: readonly ReliedAssumption[]
  /** Why the client fails without any change; null if it passes. */
  readonly problem: string | null
}

/** The most people who must be answered under every plan, so that a finding stays short. */
const mostPeople = 20

/** The number of requests after which an unknown client is stopped. */
const maxRequests = 20_000

/**
 * Plays the story twice without changes. A check that fails there, or differs between the two runs, cannot judge a
 * client. `within` is the limit for the run in story time, in milliseconds.
 */
export async function prepareJudging(
  scenario: FuzzedScenario,
  client: FuzzedClient,
  within: number | undefined,
  kinds: readonly Vary[] = defaultKinds,
): Promise<Preparation> {
  const { initialState, document } = scenario
  const all = writtenExpectations(initialState.expectations, document.expect ?? [])
  const kept = invariantNames.filter((name) => name !== 'changes-nothing-else').map((name) => invariant(name))
  const checked = [...all, ...kept].map((one) => one.checked)
  const play = async (elements: readonly PlanElement[]): Promise<PlayedStory> => {
    return client.play(await scenario.stateOf(elements, checked), maxRequests)
  }
  const base = await play([])
  const second = base.passed && base.requests > 0 ? await play([]) : base
  const failed = [base, second].flatMap(({ verdicts }) => verdicts.filter(({ passed }) => !passed))
  const own = failed.find(({ index }) => index < all.length)
  const waiting = base.waiting ?? second.waiting
  const missed = own ? `${own.describe} Found ${own.found}.` : waiting ? `it was ${waiting}.` : null
  const problem = base.why ?? second.why ?? missed
  if (problem !== null) return { base, facts: undefined, relied: [], problem }
  const broken = new Set(failed.map(({ index }) => index))
  // A client that is late in a story with a timeline sees, and writes, something else.
  const isStill = initialState.timeline.length === 0 && (initialState.triggered ?? []).length === 0
  const invariants = new Set<InvariantName>(
    invariantNames.filter((name) => {
      if (name === 'ignores-automatic-mail' && initialState.assumptions['messages.headers'] === 'omitted')
        return false
      const index = all.length + kept.findIndex(({ written }) => written.invariant === name)
      return name === 'changes-nothing-else' ? isStill && sameWrites(base, second) : !broken.has(index)
    }),
  )
  const isRelied = base.requests > 0 && kinds.includes('mail') && kinds.includes('assumptions')
  const relied = isRelied ? await reliedUnderMail(scenario, base, play) : base.relied
  const endsWithin = base.ended && second.ended ? within : undefined
  return {
    base,
    facts: {
      ...{ base, expected: all, invariants, endsWithin, isSteady: doSame(base, second) },
      answered: [...base.answered()].filter((one) => second.answered().has(one)).slice(0, mostPeople),
    },
    relied,
    problem: null,
  }
}

/** Returns whether two plays of the same story have the same outcome. */
function doSame(one: PlayedStory, other: PlayedStory): boolean {
  const [first, second] = [one.outcome(), other.outcome()]
  return !omissionOf(first, second, [], false) && !omissionOf(second, first, [], false)
}

function sameWrites(one: PlayedStory, other: PlayedStory): boolean {
  return one.writes.join('\n') === other.writes.join('\n')
}

function writtenExpectations(
  checked: readonly Expectation[],
  written: readonly object[],
): ExpectationForms[] {
  return checked.map((one, index) => ({
    name: `expectation ${index + 1}`,
    checked: one,
    written: written[index] as ExpectationForms['written'],
  }))
}

/** The forms of messages that are rendered differently from ordinary ones. */
const bodies: ReadonlySet<MailElement['form']> = new Set<MailElement['form']>([
  'empty',
  'html-only',
  'odd',
  'huge',
])

/** Plays the story with messages of some forms, since some assumptions matter only for such messages. */
async function reliedUnderMail(
  { document, initialState }: FuzzedScenario,
  base: PlayedStory,
  play: (elements: readonly PlanElement[]) => Promise<PlayedStory>,
): Promise<ReliedAssumption[]> {
  const { mail } = poolOf({ document, initialState, base })
  const matters = mail.filter(({ form, receive }) => receive.place === 1 && bodies.has(form))
  const forms = new Map(matters.map((one) => [one.form, one]))
  const relied = [...base.relied]
  for (const element of forms.values()) relied.push(...(await play([element])).relied)
  return relied
}
