import type { ExtensionInput, Extensions } from '../contract/extensions.js'
import type { AssumptionsLayer } from '../service/assumptions/assumptions.js'
import type { DeliveryFormat } from '../service/webhooks/delivery-format.js'
import { problemsOfAttacks } from './attacks/lay-attacks.js'
import type { OnProgress } from './compile/compilation.js'
import { compileScenario } from './compile/compile.js'
import type { ScenarioInput } from './format/scenario.js'
import { type MailboxSizes, withMailboxes } from './overlays/mailboxes.js'
import { type FormedMessage, withForms } from './overlays/message-forms.js'
import type { Story, StorySources } from './overlays/story.js'
import { ownAssumptions } from './read/assumptions.js'
import type { ScenarioDefinition } from './read/define-scenario.js'
import { type ExtensionSource, extensionsOf } from './read/extensions.js'
import { filesBeside, type NoteFile, shippedFiles } from './read/files.js'
import type { ScenarioSource } from './read/find-scenario.js'
import { type ProblemAt, refusal } from './read/problem.js'
import { checkScenario, readDefinition, readFound, type WrittenScenario } from './read/read-scenario.js'

/** A loaded scenario. It depends only on the scenario, the seed and the start, not on requested assumptions. */
export interface LoadedScenario
  extends Omit<
    Story,
    'assumptions' | 'origins' | 'fingerprint' | 'extensions' | 'overlays' | 'sources' | 'lay'
  > {
  /** What it was made of; undefined if it was prepared. */
  readonly sources?: Omit<StorySources, 'reload'> | undefined
}

/** A scenario whose format has been checked, but whose mailboxes have not been built. */
export interface OpenedScenario {
  /** The scenario's own assumptions; empty if they have problems. */
  readonly layers: readonly AssumptionsLayer[]
  /** Whether the environment does not change its assumptions. */
  readonly hasFixedAssumptions: boolean
  /** Its own extensions and those of the options. */
  readonly extensions: Extensions
  /** Whether its author set a start; always false for shipped scenarios. */
  readonly givesStart: boolean
  /** Checks the scenario's own assumptions. @throws ScenarioError with all problems */
  checkAssumptions(): void
  /**
   * Fills the mailboxes and compiles the story; with a `start`, shifts its instants accordingly.
   * @throws ScenarioError with all problems found
   */
  load(onProgress?: OnProgress, start?: number): Promise<LoadedScenario>
}

/** Overrides of a scenario's values, and listeners for its loading. */
export interface LoadOptions {
  readonly seed?: number | undefined
  /** Overrides the instant at which the story begins, in milliseconds since the epoch. */
  readonly start?: number | undefined
  /** The default start for a shipped scenario or one without its own start. */
  readonly defaultStart?: number | undefined
  /** Assumptions that override the scenario's own; later ones override earlier ones. */
  readonly assumptions?: readonly AssumptionsLayer[] | undefined
  /**
   * Called once with every file and folder of the scenario, even if loading fails or the file is missing: its own,
   * the modules and files it names, and files of assumptions.
   */
  readonly onFile?: NoteFile | undefined
  /**
   * Whether the scenario comes from a client that may not read this machine's files. It must then be the name of a
   * shipped scenario, or an object that names only shipped files.
   */
  readonly shippedOnly?: boolean | undefined
  /** Called with the progress every few thousand messages and at the end. */
  readonly onProgress?: OnProgress | undefined
  /**
   * Called with warnings: valid input that is probably not intended, such as a mail file that does not look
   * like a message.
   */
  readonly onWarning?: ((warning: string) => void) | undefined
  /** Overrides fields of the scenario's delivery format. */
  readonly deliveryFormat?: DeliveryFormat | undefined
  /** Extensions in addition to those that the scenario names. */
  readonly extend?: readonly ExtensionSource[] | undefined
  /** The extensions that were loaded before, by the path of their file, which are not loaded again. */
  readonly loadedExtensions?: Map<string, ExtensionInput> | undefined
  /** Whether its attacks are checked as well. */
  readonly checksAttacks?: boolean | undefined
  /** How many threads are added to its mailboxes, or removed. @internal */
  readonly mailboxes?: MailboxSizes | undefined
  /** The messages that are written in other forms. @internal */
  readonly forms?: readonly FormedMessage[] | undefined
}

/** How a scenario is opened. */
export type OpenOptions = Omit<LoadOptions, 'start' | 'defaultStart' | 'assumptions' | 'onFile'> & {
  readonly note: NoteFile
}

/** Opens a scenario from its file or from the result of `defineScenario`. @throws ScenarioError */
export async function openScenario(
  scenario: { readonly found: ScenarioSource } | { readonly definition: ScenarioDefinition },
  options: OpenOptions,
): Promise<OpenedScenario> {
  const { seed: seedOverride, note, shippedOnly = false, onWarning } = options
  const { extend = [], loadedExtensions: loaded = new Map(), checksAttacks = false } = options
  const { mailboxes = {}, forms = [] } = options
  const plain =
    'found' in scenario
      ? await readFound(scenario.found, seedOverride, note)
      : await readDefinition(scenario.definition, seedOverride)
  const isChanged = Object.keys(mailboxes).length + forms.length > 0
  const written = isChanged
    ? { ...plain, value: withMailboxes(withForms(plain.value as ScenarioInput, forms), mailboxes) }
    : plain
  const { url } = written
  const context = { note, loaded, shippedOnly, added: extend }
  const checked = checkScenario(written)
  const seed = seedOverride ?? checked.seed
  const ships = 'found' in scenario && scenario.found.ships !== undefined
  const extensions = await extensionsOf(checked, written, context)
  const assumptions = await ownAssumptions(checked, url, shippedOnly ? 'shipped' : { note }, extensions.gaps)
  const files = shippedOnly ? shippedFiles() : filesBeside(url, note)
  return {
    layers: assumptions.layers,
    hasFixedAssumptions: checked.fixed_assumptions,
    givesStart: !ships && (written.value as { start?: unknown }).start !== undefined,
    extensions,
    checkAssumptions: () => refuseIf(assumptions.problems, written),
    async load(onProgress, start) {
      const options = { seed, start, files, extensions, problems: assumptions.problems, onProgress }
      const { warnings, problems, begins, ground, ...compiled } = await compileScenario(checked, options)
      for (const warning of warnings) onWarning?.(warning)
      const sources = { written: plain, extend, ground }
      const further = checksAttacks ? await problemsOfAttacks(sources, seed) : []
      refuseIf([...problems, ...further], written)
      const { scenario, describe = '', bounces, delivery_format: deliveryFormat } = checked
      return {
        scenario,
        describe,
        seed,
        start: start ?? begins,
        ...compiled,
        bounces,
        deliveryFormat,
        sources,
      }
    },
  }
}

/** @throws ScenarioError if there are problems */
function refuseIf(problems: readonly ProblemAt[], { source, locate }: WrittenScenario): void {
  if (problems.length > 0) throw refusal(source, locate, problems)
}
