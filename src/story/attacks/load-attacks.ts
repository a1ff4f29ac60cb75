import type { ScenarioInput } from '../format/scenario.js'
import type { ScenarioDefinition } from '../read/define-scenario.js'
import type { ExtensionSource } from '../read/extensions.js'
import { filesBeside, shippedFiles } from '../read/files.js'
import { checkScenario, readWritten, refuseUnshipped } from '../read/read-scenario.js'
import { type AttackChoice, type AttackPlanning, chosenAttacks } from './lay-attacks.js'
import type { PlannedAttack } from './planned-attack.js'

/** Which attacks of a scenario are read. */
export interface AttackOptions extends Partial<Pick<AttackChoice, 'attacks'>>, Pick<AttackPlanning, 'pairs'> {
  readonly seed?: number | undefined
  /** Extensions in addition to those that the scenario names. */
  readonly extend?: readonly ExtensionSource[] | undefined
  /** Whether the scenario comes from a client that may not read this machine's files. */
  readonly shippedOnly?: boolean | undefined
}

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
