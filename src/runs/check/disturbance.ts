import type { GapId } from '../../contract/gaps.js'
import type { Exchange } from '../../service/world/exchange.js'
import type { AttackChoice } from '../../story/attacks/lay-attacks.js'
import type { ExpectationInput } from '../../story/edits.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import type { Story } from '../../story/story.js'
import type { PlayOptions } from '../agent/options.js'
import type { Play } from '../play.js'

/** The kinds of disturbances, in the order of reports. */
export const kindNames = [
  ...(['faults', 'deliveries', 'restarts', 'time', 'mail', 'attacks', 'assumptions'] as const),
]

/** The name of a kind of disturbance. */
export type KindName = (typeof kindNames)[number]

/** What one thing that goes wrong does to a story while it is played. */
export interface Effect {
  /** What happens, in words that follow "when": `the response to messages.reply (1) is lost after it was performed`. */
  readonly words: string
  /** What a client does that copes with it, in a sentence. */
  readonly advice: string
  /**
   * Returns the scenario with the disturbance. It adds to the document or changes entries in place: no expectation and no entry of
   * the timeline is removed or moved in its list, and whatever is added has a key of its own. By default nothing changes.
   */
  edit?(document: ScenarioInput): ScenarioInput
  /** What the agent has to do because of it, once it has happened: an expectation, judged beside those of the scenario. */
  readonly expects?: ExpectationInput
  /** The attacks that are laid over the story. */
  readonly under?: AttackChoice
  /** The assumption that it chooses, which simulators in the processes of the command follow as well. */
  readonly assumption?: { readonly gap: GapId; readonly assumption: string }
  /** How it is played. */
  readonly playing?: Pick<PlayOptions, 'thinkTime'>
}

/** One thing that goes wrong while a story is played. It follows from its id and the scenario alone. */
export interface Disturbance extends Effect {
  /** Its stable name, which begins with its kind: `faults/messages.reply/1/lost`. */
  readonly id: string
  readonly kind: KindName
}

/** A disturbance that is to be tried, as its kind plans it. */
export interface Planned {
  /** Its id without the name of its kind. */
  readonly name: string
  /** One of each group of a kind is tried before the second of any: `lost`, `503`, or the gap of an assumption. */
  readonly group: string
  /** Its place among the ten most valuable, 1 to 10, which come first whatever their kind; undefined for the others. */
  readonly rank?: number | undefined
}

/** A disturbance that is to be tried. */
export interface PlannedDisturbance extends Omit<Planned, 'name'> {
  readonly id: string
  readonly kind: KindName
}

/** A kind of disturbances. */
export interface Kind {
  /** Returns the disturbances that an agent can meet, given what it did undisturbed; the most telling first. */
  planned(undisturbed: Undisturbed): readonly Planned[]
  /** Returns the disturbances that one suggests which broke the agent, e.g. each attack alone that was obeyed. */
  further?(name: string, play: Play): readonly Planned[]
  /**
   * Returns what a disturbance does, by the parts of its name, without knowing what the agent did; undefined if the scenario has
   * nothing of that name. What it adds to the scenario has the key.
   */
  effect(parts: readonly string[], story: DisturbedStory, key: string): Effect | undefined
  /**
   * Returns whether an expectation of the scenario, other than an invariant, is judged under a disturbance. Of invariants, those
   * that are on by themselves are judged under all kinds.
   */
  judges(expectation: ExpectationInput, story: DisturbedStory, id: string): boolean
}

/** The story that is disturbed: as its author wrote it, with paths of files made absolute, and as it was loaded. */
export interface DisturbedStory {
  readonly document: ScenarioInput
  readonly story: Story
}

/**
 * The gaps on which the responses of a play depended, in the order of the register, each with the assumptions that can be chosen
 * instead and under which some response would have been different: none if the command or the scenario chose the one in force.
 */
export type ReliedGaps = ReadonlyMap<GapId, readonly string[]>

/** What an agent did undisturbed. */
export interface Undisturbed extends DisturbedStory {
  /** A play in which it passed. Its simulator is the world at the end. */
  readonly play: Play
  /** The requests to the service in order, as its journal shows them. */
  readonly exchanges: readonly Exchange[]
  /** The gaps on which responses depended, in whatever simulator. */
  readonly relied: ReliedGaps
}
