import type { Story } from '../../story/overlays/story.js'
import type { PlayedStory } from './facts.js'
import type { FuzzedScenario } from './fuzzed-scenario.js'
import { type ClientFailure, type JudgingFacts, mayGiveUp } from './judging.js'
import { faultsOf, keyOfElement, type PlanElement, planChanges } from './kinds/kinds.js'
import { furtherMail, omissionOf, withMailFromStart } from './outcome.js'

/** The kinds of elements that a control has, too: they change what the mail is like, and not when it comes. */
const keptKinds: ReadonlySet<PlanElement['vary']> = new Set<PlanElement['vary']>([
  'sizes',
  'assumptions',
  'forms',
])

/** Plays a story to the client. */
export type PlayControl = (story: Story) => Promise<PlayedStory>

/**
 * Judges what a client did under a plan by a control: the same client in the same story, undisturbed, with the mail of the plan
 * there from the start.
 */
export class Controls {
  readonly #scenario: FuzzedScenario
  readonly #facts: JudgingFacts
  readonly #play: PlayControl
  readonly #played = new Map<string, Promise<PlayedStory | undefined>>()

  constructor(scenario: FuzzedScenario, facts: JudgingFacts, play: PlayControl) {
    this.#scenario = scenario
    this.#facts = facts
    this.#play = play
  }

  /** Returns how a client failed under a plan; undefined if it did what it does under the control, or cannot be compared. */
  async failureOf(elements: readonly PlanElement[], played: PlayedStory): Promise<ClientFailure | undefined> {
    const { base, isSteady } = this.#facts
    if (!isSteady || !played.passed || played.waiting || !isComparable(elements)) return undefined
    // What a receiver refused comes again later, and the client has to do it only then.
    if (played.deliveries.some(({ status }) => status === 'pending')) return undefined
    const late = furtherMail(played.outcome(), base.outcome())
    const control = await this.#controlOf(elements, late)
    if (!control) return undefined
    const omission = omissionOf(control.outcome(), played.outcome(), late, base.ended, base.outcome())
    if (!omission || !control.passed) return undefined
    const { why, kind, written } = omission
    return { judgedBy: 'outcome', name: 'outcome', why, cause: `outcome ${kind}`, written }
  }

  /** Returns the control of a plan, which is played once; undefined if some of its mail cannot be there from the start. */
  #controlOf(
    elements: readonly PlanElement[],
    late: ReturnType<typeof furtherMail>,
  ): Promise<PlayedStory | undefined> {
    const kept = elements.filter(({ vary }) => keptKinds.has(vary))
    const key = JSON.stringify([kept.map(keyOfElement).sort(), late])
    const isBase = kept.length === 0 && late.length === 0
    const playing =
      this.#played.get(key) ?? (isBase ? Promise.resolve(this.#facts.base) : this.#playControl(kept, late))
    this.#played.set(key, playing)
    return playing
  }

  async #playControl(
    kept: readonly PlanElement[],
    late: ReturnType<typeof furtherMail>,
  ): Promise<PlayedStory | undefined> {
    const story = await this.#scenario.stateOf(kept, [])
    return late.some(isInLaterThread(story, late)) ? undefined : this.#play(withMailFromStart(story, late))
  }
}

/** Returns whether a client has to do the same under a plan in the end: it only changes what arrives, and when, or disturbs it shortly. */
function isComparable(elements: readonly PlanElement[]): boolean {
  const changes = planChanges(elements)
  const isChanged = changes.has('mail') || changes.has('restarts')
  return isChanged && !changes.has('events') && !mayGiveUp(faultsOf(elements))
}

/** Returns whether mail is in a thread that the story, or the client, begins only later. */
function isInLaterThread({ base }: Story, late: ReturnType<typeof furtherMail>) {
  const own = new Set(late.map(({ message }) => message))
  return ({ thread, begun = '' }: (typeof late)[number]): boolean =>
    thread !== undefined && !own.has(begun) && base.database.get('thread', thread) === undefined
}
