import { mistakesIn } from '../base/explain.js'
import { textOf } from '../base/mistake.js'
import type { ExtensionInput, Extensions } from '../contract/extensions.js'
import {
  type AssumptionsLayer,
  assumptionsVariable,
  type ChosenAssumptions,
  chooseAssumptions,
} from '../service/assumptions/assumptions.js'
import { type DeliveryFormat, deliveryFormatSchema } from '../service/webhooks/delivery-format.js'
import { createFingerprint } from '../service/world/digest.js'
import { type AttackChoice, chosenAttacks, underAttack } from './attacks/lay-attacks.js'
import { trapExtension } from './attacks/library.js'
import type { OnProgress } from './compile/compilation.js'
import { compileScenario } from './compile/compile.js'
import type { ExpectationInput } from './edits.js'
import { type ScenarioInput, scenarioSchema } from './format/scenario.js'
import { preparedName, readPrepared, writePrepared } from './prepared.js'
import { addAssumptions, ownAssumptions, readLayers } from './read/assumptions.js'
import type { ScenarioDefinition } from './read/define-scenario.js'
import { type ExtensionSource, extensionsOf, loadExtensions } from './read/extensions.js'
import { filesBeside, type NoteFile, shippedFiles } from './read/files.js'
import { checkFormat, type ProblemAt, refusal, ScenarioError } from './read/problem.js'
import { checkScenario, readWritten } from './read/read-scenario.js'
import type { LoadedScenario, Story } from './story.js'

/** A scenario whose format has been checked, but whose mailboxes have not been built. */
interface OpenedScenario {
  /** The scenario's own assumptions; empty if they have problems. */
  readonly layers: readonly AssumptionsLayer[]
  /** Whether the environment does not change its assumptions. */
  readonly hasFixedAssumptions: boolean
  /** Its own extensions and those of the options. */
  readonly extensions: Extensions
  /** Whether its author set a start; always false for shipped scenarios. */
  readonly givesStart: boolean
  readonly hasAttacks: boolean
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
type OpenOptions = Omit<LoadOptions, 'start' | 'defaultStart' | 'assumptions' | 'onFile'> & {
  readonly note: NoteFile
}

/**
 * Loads a scenario: a shipped name, the path of a YAML, JSON or TypeScript file, or the result of `defineScenario`.
 * @throws ScenarioError with all problems found; WorldError
 */
export async function loadScenario(
  scenario: string | ScenarioDefinition,
  options: LoadOptions = {},
): Promise<Story> {
  const { start, defaultStart, assumptions = [], deliveryFormat } = options
  const note = onceEach(options.onFile)
  const opened = await open(scenario, { ...options, note })
  const { extensions } = opened
  const requested = await readLayers(layersFor(opened, assumptions), note, extensions.gaps)
  const begins = start ?? (opened.givesStart ? undefined : defaultStart)
  const loaded = await opened.load(options.onProgress, begins)
  for (const form of options.checksAttacks && opened.hasAttacks ? (['hostile', 'benign'] as const) : []) {
    const { seed, extend, shippedOnly } = options
    const under = { attacks: 'all', form } as const
    await loadScenario(scenario, { seed, start, extend, shippedOnly, like: loaded, under })
  }
  return {
    ...loaded,
    fingerprint: createFingerprint(loaded),
    extensions,
    // The scenario's own format has been checked with the scenario.
    ...(deliveryFormat && { deliveryFormat: checkedFormat({ ...loaded.deliveryFormat, ...deliveryFormat }) }),
    ...chooseAssumptions([...opened.layers, ...requested], undefined, extensions.gaps),
  }
}

/** Returns a story under further assumptions, the last of which count. @throws AssumptionError */
export async function withAssumptions(story: Story, layers: readonly AssumptionsLayer[]): Promise<Story> {
  return { ...story, ...(await addAssumptions(story, layers)) }
}

/** @throws ScenarioError */
function checkedFormat(format: DeliveryFormat): DeliveryFormat {
  const problems = mistakesIn(deliveryFormatSchema(), format).map(({ path, message }) => {
    return { key: path.join('.'), message: textOf(message) }
  })
  if (problems.length === 0) return format
  throw new ScenarioError('invalid', 'deliveryFormat', problems)
}

/** Returns a scenario's initial assumptions without building its mailboxes. @throws ScenarioError, WorldError */
export async function loadAssumptions(
  scenario: string | ScenarioDefinition,
  assumptions: readonly AssumptionsLayer[] = [],
  options: Pick<LoadOptions, 'extend'> = {},
): Promise<ChosenAssumptions & { readonly extensions: Extensions }> {
  const note = () => undefined
  const opened = await open(scenario, { ...options, note })
  opened.checkAssumptions()
  const { extensions } = opened
  const requested = await readLayers(layersFor(opened, assumptions), note, extensions.gaps)
  const layers = [...opened.layers, ...requested]
  return { ...chooseAssumptions(layers, undefined, extensions.gaps), extensions }
}

/** Returns the layers that change the assumptions of a scenario. */
function layersFor(
  { hasFixedAssumptions }: OpenedScenario,
  requested: readonly AssumptionsLayer[],
): readonly AssumptionsLayer[] {
  return hasFixedAssumptions ? requested.filter(({ from }) => from !== assumptionsVariable) : requested
}

/** Opens the prepared form of a scenario if there is one, or else reads its source. @throws ScenarioError */
async function open(scenario: string | ScenarioDefinition, options: OpenOptions): Promise<OpenedScenario> {
  const { seed, note, extend = [], under, expect } = options
  const prepared = scenario === preparedName && !under && !expect ? await readPrepared(seed) : undefined
  if (!prepared) return openScenario(scenario, options)
  for (const source of prepared.sources) note(source)
  return {
    layers: prepared.layers,
    ...{ hasFixedAssumptions: false, givesStart: false, hasAttacks: false },
    extensions: await loadExtensions(extend, { note }),
    checkAssumptions: () => undefined,
    load: async (onProgress, start) => prepared.load(onProgress, start),
  }
}

/** Loads the default scenario with its own seed, and writes its prepared form into the folder of the build. */
export async function prepareScenario(): Promise<void> {
  const sources = new Set<string>()
  const note = ({ href }: URL): void => void sources.add(href)
  const { layers, load } = await openScenario(preparedName, { note })
  await writePrepared([...sources], layers, await load())
}

/** Opens a scenario from its file or from the result of `defineScenario`. @throws ScenarioError */
async function openScenario(
  scenario: string | ScenarioDefinition,
  options: OpenOptions,
): Promise<OpenedScenario> {
  const { seed: seedOverride, note, onWarning, under } = options
  const { extend = [], loadedExtensions: loaded = new Map() } = options
  const own = await readWritten(scenario, { ...options, seed: seedOverride })
  // Shipped scenarios may name the files they ship with.
  const shippedOnly = options.shippedOnly === true && !own.ships
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
  const extensions = await extensionsOf(checked, written, context)
  const assumptions = await ownAssumptions(checked, url, shippedOnly ? 'shipped' : { note }, extensions.gaps)
  return {
    layers: assumptions.layers,
    hasFixedAssumptions: checked.fixed_assumptions,
    givesStart: !own.ships && (own.value as ScenarioInput).start !== undefined,
    hasAttacks: checkedPlain.attacks.length > 0,
    extensions,
    checkAssumptions: () => refuse(assumptions.problems),
    async load(onProgress, start) {
      const { begins, ...compiled } = await compileScenario(checked, {
        ...{ seed, start, files, extensions, onProgress },
        earlier: options.like?.mailboxes,
        refuse: (found) => refuse([...assumptions.problems, ...found]),
        warn: (warning) => onWarning?.(warning),
      })
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

function onceEach(onFile: NoteFile | undefined): NoteFile {
  const noted = new Set<string>()
  return (file) => {
    if (noted.has(file.href)) return
    noted.add(file.href)
    onFile?.(file)
  }
}
