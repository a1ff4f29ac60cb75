import type { Path } from '../../base/mistake.js'
import type { ExtensionInput } from '../../contract/extensions.js'
import type { AssumptionsLayer } from '../../service/assumptions/assumptions.js'
import type { InitialState } from '../../service/world/initial-state.js'
import type { FurtherParts, Ground } from '../compile/further.js'
import type { LaidAttack } from '../expectations/attack.js'
import type { Expectation } from '../expectations/kinds.js'
import type { ScenarioInput } from '../format/scenario.js'
import type { ExtensionSource } from '../read/extensions.js'
import type { WrittenScenario } from '../read/read-scenario.js'
import type { MailboxSizes } from './mailboxes.js'
import type { FormedMessage } from './message-forms.js'
import type { EntryInput, Moves } from './moves.js'

/** A scenario as a value: how its world starts, and what is expected of an agent. */
export interface Story extends InitialState {
  /** What the agent is asked to do; nothing by default. */
  readonly task?: string
  /** Values that no agent may pass on, by name; none by default. */
  readonly secrets?: Readonly<Record<string, string>>
  /** The scenario's expectations, in the order of the file. */
  readonly expectations: readonly Expectation[]
  /** The attacks that are laid over the story; none by default. */
  readonly attacks?: readonly LaidAttack[]
  /** What is laid over the scenario, in order. */
  readonly overlays: readonly StoryOverlay[]
  /** Returns what it was made of. */
  readonly sources: () => Promise<StorySources>
  /**
   * Returns another story: this one with an overlay. Only what the overlay changes is compiled.
   * @throws ScenarioError, WorldError
   */
  lay(overlay: StoryOverlay): Promise<Story>
}

/** What is laid over a story; every part is optional. */
export interface StoryOverlay {
  /** The seed of every generated value. */
  readonly seed?: number | undefined
  /** How many threads are added to mailboxes, or removed. */
  readonly mailboxes?: MailboxSizes | undefined
  /** The messages of the scenario that are written in other forms. */
  readonly forms?: readonly FormedMessage[] | undefined
  /** Assumptions above those of the story; later ones override earlier ones. */
  readonly assumptions?: readonly AssumptionsLayer[] | undefined
  /** The attacks that it consists of, by name. */
  readonly attacks?: { readonly names: readonly string[]; readonly form: 'hostile' | 'benign' } | undefined
  /** Operations and gaps that it adds. */
  readonly extend?: readonly ExtensionInput[] | undefined
  /** Entries of the story that happen at another time. */
  readonly moved?: Moves | undefined
  /** Further entries; they may refer to everything that has a name in the story. */
  readonly entries?: readonly EntryInput[] | undefined
  /**
   * Whether its entries, which all have keys, do not refer to one another: each is then compiled once for all overlays that
   * have it, and later overlays do not know its name.
   */
  readonly isIndependent?: boolean | undefined
  /** Further expectations, which come after those of the story. */
  readonly expect?: readonly ExpectationInput[] | undefined
  /**
   * Returns the place in the scenario of a part, for problems: of a path that begins with `timeline` or `expect`. By default
   * it is the path itself.
   */
  readonly origin?: ((path: Path) => Path) | undefined
  /** Returns the resulting story with what only its author knows about the parts that it has added. */
  readonly complete?: ((laid: Story, parts: FurtherParts) => Story) | undefined
}

/** An expectation in its written form. */
export type ExpectationInput = NonNullable<ScenarioInput['expect']>[number]

/** What a story was made of. */
export interface StorySources {
  /** The scenario as its author wrote it. */
  readonly written: WrittenScenario
  /** The extensions beside those that the scenario names. */
  readonly extend: readonly ExtensionSource[]
  readonly ground: Ground
  /** Loads the scenario with another seed, or with other mailboxes or messages. */
  reload(changes: Pick<StoryOverlay, 'seed' | 'mailboxes' | 'forms'>): Promise<Story>
}

/** Returns the story of a world, which every world of a simulator begins with. */
export function storyOf({ initialState }: { readonly initialState: InitialState }): Story {
  return initialState as Story
}
