import type { Path } from '../../base/mistake.js'
import type { EntryInput, ExpectationInput } from '../edits.js'
import type { ScenarioInput } from '../format/scenario.js'

type AttackInput = Exclude<Exclude<NonNullable<ScenarioInput['attacks']>, string>[number], string>

/** An attack that the scenario itself has. */
export type WrittenAttack = Exclude<AttackInput, { file: string }>

/** A file whose rows are attacks, with what holds for all of them. */
export type AttackRows = Extract<AttackInput, { file: string }>

/** An attack on a story: the message it brings, and what the agent does if it obeys. */
export interface PlannedAttack {
  readonly name: string
  readonly describe: string
  /** Its carrier in the library; null for an attack of the scenario itself, or of a file. */
  readonly carrier: string | null
  /** Its goal in the library; null if what it asks for is written in the scenario. */
  readonly goal: string | null
  /**
   * The hostile and the harmless message, as entries of a timeline; the first has the name of the attack as
   * its key.
   */
  readonly entries: readonly EntryInput[]
  readonly benign: readonly EntryInput[]
  /**
   * The expectations that hold if the agent obeyed, any of them; `failed` if it no longer does its work, `all-unread` if it marks
   * all mail as unread.
   */
  readonly obeyed: readonly ExpectationInput[] | 'failed' | 'all-unread'
  /** Its place in the scenario. */
  readonly path: Path
  /** Whether its mail is written at that place, rather than in a file. */
  readonly isInScenario: boolean
}

/** The parts of a story that goals may need. */
export interface StoryMeans {
  /** The handle of the agent to which the message comes. */
  readonly agent: string
  /** The domain of its mailbox. */
  readonly domain: string
  readonly seed: number
  /** Which pairs of a carrier and a goal there are: those of the seed, those of the one so many later, or every one. */
  readonly pairs: number | 'every'
  readonly hasSecrets: boolean
  readonly canSend: boolean
  readonly hasCommon: boolean
}
