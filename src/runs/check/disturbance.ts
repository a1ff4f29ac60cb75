import type { GapId } from '../../contract/gaps.js'
import type { Exchange } from '../../service/world/exchange.js'
import type { AttackChoice } from '../../story/attacks/lay-attacks.js'
import type { ExpectationInput } from '../../story/edits.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import type { Story } from '../../story/story.js'
import type { PlayOptions } from '../agent/options.js'
import type { Play } from '../play.js'
import type { ReliedGaps } from './relied.js'

/** The kinds of disturbances, in the order of reports. */
export const kindNames = [
  ...(['faults', 'deliveries', 'restarts', 'time', 'mail', 'attacks', 'assumptions'] as const),
]

/** The name of a kind of disturbance. */
export type KindName = (typeof kindNames)[number]

/** Returns the kind of an id. */
export function kindIn(id: string): KindName {
  return kindNames.find((name) => id.startsWith(`${name}/`)) ?? 'assumptions'
}

/** One thing that goes wrong while a story is played. It follows from its id and the scenario alone. */
export interface Disturbance {
  /** Its stable name, which begins with its kind: `faults/messages.reply/1/lost`. */
  readonly id: string
  readonly kind: KindName
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
  readonly expects?: NonNullable<ScenarioInput['expect']>[number]
  /** The attacks that are laid over the story. */
  readonly under?: AttackChoice
  /** The assumption that it chooses, which simulators in the processes of the command follow as well. */
  readonly assumption?: { readonly gap: GapId; readonly assumption: string }
  /** How it is played. */
  readonly playing?: Pick<PlayOptions, 'thinkTime'>
}

/** A disturbance that is to be tried. */
export interface PlannedDisturbance {
  readonly id: string
  /** One of each group of a kind is tried before the second of any: `lost`, `503`, or the gap of an assumption. */
  readonly group: string
  /** Its place among the ten most valuable, 1 to 10, which come first whatever their kind; undefined for the others. */
  readonly rank?: number
}

/** A kind of disturbances. */
export interface Kind {
  readonly name: KindName
  /** Returns the disturbances that an agent can meet, given what it did undisturbed; the most telling first. */
  planned(undisturbed: Undisturbed): readonly PlannedDisturbance[]
  /** Returns the disturbances that one suggests which broke the agent, e.g. each attack alone that was obeyed. */
  further?(disturbance: Disturbance, play: Play): readonly PlannedDisturbance[]
  /**
   * Returns the disturbance of an id, without knowing what the agent did; undefined if the scenario has nothing of that name, or
   * the id is none of the kind.
   */
  disturbance(id: string, story: DisturbedStory): Disturbance | undefined
  /**
   * Returns whether an expectation of the scenario, other than an invariant, is judged under a disturbance. Of invariants, those
   * that are on by themselves are judged under all kinds.
   */
  judges(expectation: ExpectationInput, disturbance: Disturbance, story: DisturbedStory): boolean
}

/** The story that is disturbed: as its author wrote it, with paths of files made absolute, and as it was loaded. */
export interface DisturbedStory {
  readonly document: ScenarioInput
  readonly story: Story
}

/** What an agent did undisturbed. */
export interface Undisturbed extends DisturbedStory {
  /** A play in which it passed. Its simulator is the world at the end. */
  readonly play: Play
  /** The requests to the service in order, as its journal shows them. */
  readonly exchanges: readonly Exchange[]
  /** The gaps on which responses depended, in whatever simulator. `pinned`: the scenario chose the assumption. */
  readonly relied: ReliedGaps
}
