import type { ExtensionInput, Extensions } from '../contract/extensions.js'
import type { AssumptionsLayer } from '../service/assumptions/assumptions.js'
import type { DeliveryFormat } from '../service/webhooks/delivery-format.js'
import { type AttackChoice, chosenAttacks, underAttack } from './attacks/lay-attacks.js'
import { trapExtension } from './attacks/trap.js'
import type { OnProgress } from './compile/compilation.js'
import { compileScenario } from './compile/compile.js'
import type { ExpectationInput } from './edits.js'
import { type ScenarioInput, scenarioSchema } from './format/scenario.js'
import { ownAssumptions } from './read/assumptions.js'
import { checkFormat } from './read/check-format.js'
import type { ScenarioDefinition } from './read/define-scenario.js'
import { type ExtensionSource, extensionsOf } from './read/extensions.js'
import { filesBeside, type NoteFile, shippedFiles } from './read/files.js'
import type { ScenarioSource } from './read/find-scenario.js'
import { type ProblemAt, refusal } from './read/problem.js'
import { checkScenario, readDefinition, readFound } from './read/read-scenario.js'
import type { Story } from './story.js'

/** A loaded scenario. It depends only on the scenario, the seed and the start, not on requested assumptions. */
export type LoadedScenario = Omit<Story, 'assumptions' | 'origins' | 'fingerprint' | 'extensions'>

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
  /** A story with the same mailboxes, which are not compiled again if nothing that they are made of has changed. */
  readonly like?: Pick<Story, 'mailboxes'> | undefined
  /** Further expectations, after its own. */
  readonly expect?: readonly ExpectationInput[] | undefined
  /** The attacks that are laid over it. */
  readonly under?: AttackChoice | undefined
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
  const { seed: seedOverride, note, shippedOnly = false, onWarning, under } = options
  const { extend = [], loadedExtensions: loaded = new Map() } = options
  const own =
    'found' in scenario
      ? await readFound(scenario.found, seedOverride, note)
      : await readDefinition(scenario.definition, seedOverride)
  const plain = options.expect
    ? { ...own, value: withExpectations(own.value as ScenarioInput, options.expect) }
    : own
  const { url, source, locate } = plain
  const files = shippedOnly ? shippedFiles() : filesBeside(url, note)
  const checkedPlain = checkScenario(plain)
  const seed = seedOverride ?? checkedPlain.seed
  const planned = under ? await chosenAttacks(plain, { seed, extend, files }, under.attacks) : []
  const attacked = under && underAttack(plain, planned, under.form)
  const written = attacked?.written ?? plain
  const refuse = (problems: readonly ProblemAt[]): void => {
    if (problems.length > 0)
      throw refusal(source, locate, attacked ? problems.map(attacked.placed) : problems)
  }
  const checked = attacked
    ? checkFormat(scenarioSchema, written.value, { source, locate, placed: attacked.placed })
    : checkedPlain
  const context = { note, loaded, shippedOnly, added: attacked ? [trapExtension, ...extend] : extend }
  const ships = 'found' in scenario && scenario.found.ships !== undefined
  const extensions = await extensionsOf(checked, written, context)
  const assumptions = await ownAssumptions(checked, url, shippedOnly ? 'shipped' : { note }, extensions.gaps)
  return {
    layers: assumptions.layers,
    hasFixedAssumptions: checked.fixed_assumptions,
    givesStart: !ships && (written.value as { start?: unknown }).start !== undefined,
    extensions,
    checkAssumptions: () => refuse(assumptions.problems),
    async load(onProgress, start) {
      const { problems: known } = assumptions
      const earlier = options.like?.mailboxes
      const compiling = { seed, start, files, extensions, problems: known, onProgress, earlier }
      const { warnings, problems, begins, ...compiled } = await compileScenario(checked, compiling)
      for (const warning of warnings) onWarning?.(warning)
      refuse(problems)
      const { scenario, describe = '', bounces, delivery_format: deliveryFormat } = checked
      return {
        ...{ scenario, describe, seed, start: start ?? begins, bounces, deliveryFormat },
        ...(attacked?.complete(compiled) ?? compiled),
      }
    },
  }
}

/** Returns a scenario with further expectations. */
function withExpectations(document: ScenarioInput, further: readonly ExpectationInput[]): ScenarioInput {
  const { expect = [] } = document
  return { ...document, expect: [...expect, ...further] }
}
