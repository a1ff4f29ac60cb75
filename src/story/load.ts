import { mistakesIn } from '../base/explain.js'
import type { Extensions } from '../contract/extensions.js'
import {
  type AssumptionsLayer,
  assumptionsVariable,
  type ChosenAssumptions,
  chooseAssumptions,
} from '../service/assumptions/assumptions.js'
import { type DeliveryFormat, deliveryFormatSchema } from '../service/webhooks/delivery-format.js'
import { createFingerprint } from '../service/world/digest.js'
import { type AttackChoice, type AttackPlanning, chosenAttacks } from './attacks/lay-attacks.js'
import type { PlannedAttack } from './attacks/planned-attack.js'
import type { ScenarioInput } from './format/scenario.js'
import { type LoadOptions, type OpenedScenario, type OpenOptions, openScenario } from './open.js'
import { openPrepared } from './prepared.js'
import { addAssumptions, readLayers } from './read/assumptions.js'
import type { ScenarioDefinition } from './read/define-scenario.js'
import { filesBeside, type NoteFile, shippedFiles } from './read/files.js'
import { findScenario, refuseUnshipped, type ScenarioSource } from './read/find-scenario.js'
import { ScenarioError } from './read/problem.js'
import { checkScenario, readWritten } from './read/read-scenario.js'
import type { Story } from './story.js'

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
  const like = options.checksAttacks ? await checkAttacks(scenario, options) : options.like
  const opened = await open(scenario, { ...options, like, note })
  const { extensions } = opened
  const requested = await readLayers(layersFor(opened, assumptions), note, extensions.gaps)
  const begins = start ?? (opened.givesStart ? undefined : defaultStart)
  const loaded = await opened.load(options.onProgress, begins)
  return {
    ...loaded,
    fingerprint: createFingerprint(loaded),
    extensions,
    // The scenario's own format has been checked with the scenario.
    ...(deliveryFormat && { deliveryFormat: checkedFormat({ ...loaded.deliveryFormat, ...deliveryFormat }) }),
    ...chooseAssumptions([...opened.layers, ...requested], undefined, extensions.gaps),
  }
}

/**
 * Checks all attacks of a scenario and their counterparts, and with them the scenario itself, so that all problems are told
 * together; returns its story under them. @throws ScenarioError
 */
async function checkAttacks(
  scenario: string | ScenarioDefinition,
  { seed, start, extend, shippedOnly }: LoadOptions,
): Promise<Story | undefined> {
  const { value } = await readWritten(scenario, seed)
  const { attacks = [] } = value as ScenarioInput
  let like: Story | undefined
  for (const form of attacks.length > 0 ? (['hostile', 'benign'] as const) : [])
    like = await loadScenario(scenario, {
      seed,
      start,
      extend,
      shippedOnly,
      like,
      under: { attacks: 'all', form },
    })
  return like
}

/** Returns a story under further assumptions, the last of which count. @throws AssumptionError */
export async function withAssumptions(story: Story, layers: readonly AssumptionsLayer[]): Promise<Story> {
  return { ...story, ...(await addAssumptions(story, layers)) }
}

/** @throws ScenarioError */
function checkedFormat(format: DeliveryFormat): DeliveryFormat {
  const problems = mistakesIn(deliveryFormatSchema(), format).map(({ path, message }) => {
    return { key: path.join('.'), message }
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

/** Which attacks of a scenario are read. */
export type AttackOptions = Pick<LoadOptions, 'seed' | 'extend' | 'shippedOnly'> &
  Partial<Pick<AttackChoice, 'attacks'>> &
  Pick<AttackPlanning, 'pairs'>

/**
 * Returns the attacks of a scenario, by default all of them, without building its mailboxes.
 * @throws ScenarioError, also if there are none
 */
export async function loadAttacks(
  scenario: string | ScenarioDefinition,
  { attacks = 'all', extend = [], shippedOnly, pairs, ...options }: AttackOptions = {},
): Promise<readonly PlannedAttack[]> {
  if (shippedOnly && typeof scenario === 'string') await refuseUnshipped(scenario)
  const written = await readWritten(scenario, options.seed)
  const { seed } = checkScenario(written)
  const files = shippedOnly ? shippedFiles() : filesBeside(written.url)
  return chosenAttacks(written, { seed: options.seed ?? seed, extend, files, pairs }, attacks)
}

/** Returns which attacks a scenario itself wants to be played. A scenario with mistakes is not refused. @throws ScenarioError */
export async function attackModeOf(
  scenario: string | ScenarioDefinition,
): Promise<NonNullable<ScenarioInput['attack_mode']>> {
  const { value } = await readWritten(scenario, undefined)
  const { attack_mode: mode } = Object(value) as Partial<ScenarioInput>
  return mode === 'all' ? mode : 'none'
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
  if (typeof scenario !== 'string' || options.under || options.expect) return openSource(scenario, options)
  if (options.shippedOnly) await refuseUnshipped(scenario)
  const found = await findScenario(scenario, options.note)
  return (await openPrepared(found, options)) ?? openFound(found, options)
}

/** Reads the source of a scenario, whether it is prepared or not. @throws ScenarioError */
async function openSource(
  scenario: string | ScenarioDefinition,
  options: OpenOptions,
): Promise<OpenedScenario> {
  if (typeof scenario !== 'string') return openScenario({ definition: scenario }, options)
  return openFound(await findScenario(scenario, options.note), options)
}

function openFound(found: ScenarioSource, options: OpenOptions): Promise<OpenedScenario> {
  // Shipped scenarios may name the files they ship with.
  return openScenario({ found }, { ...options, shippedOnly: false })
}

function onceEach(onFile: NoteFile | undefined): NoteFile {
  const noted = new Set<string>()
  return (file) => {
    if (noted.has(file.href)) return
    noted.add(file.href)
    onFile?.(file)
  }
}
