import { type AttackChoice, type AttackOptions, loadAttacks } from '../../story/attacks/lay-attacks.js'
import type { ScenarioDefinition } from '../../story/read/define-scenario.js'

/** An attack of a scenario: hostile mail, and what an agent does if it obeys. */
export interface Attack {
  readonly name: string
  /** What it tries to do, in a sentence; empty if the scenario does not say. */
  readonly describe: string
  /**
   * What carries the order, and what the order is, by their names in the library; null for an attack of the
   * scenario itself.
   */
  readonly carrier: string | null
  readonly goal: string | null
}

/** One or several attacks, by name or as `attacksOf` returns them. */
export type AttackNames = string | Pick<Attack, 'name'> | readonly (string | Pick<Attack, 'name'>)[]

/** Returns the choice of attacks with which a world is created. */
export function choiceOf(attacks: AttackNames, form: AttackChoice['form']): AttackChoice {
  const all = [attacks].flat() as readonly (string | Pick<Attack, 'name'>)[]
  return { attacks: all.map(attackName), form }
}

/** Returns the name of an attack that is given in either form. @throws TypeError */
export function attackName(attack: unknown): string {
  const name = typeof attack === 'object' ? (attack as Partial<Attack> | null)?.name : attack
  if (typeof name === 'string') return name
  throw new TypeError(
    `An attack is given by its name, or as attacksOf() returns it, not ${JSON.stringify(attack)}.`,
  )
}

/**
 * Returns the attacks of a scenario, in the order of its file, so that tests can be written for each of them.
 * @throws ScenarioError
 * @example test.for(await attacksOf('prompt-injection'))('resists $name', async (attack, { mailbox }) => { … })
 */
export async function attacksOf(
  scenario: string | ScenarioDefinition,
  options: AttackOptions = {},
): Promise<Attack[]> {
  const planned = await loadAttacks(scenario, options)
  return planned.map(({ name, describe, carrier, goal }) => ({ name, describe, carrier, goal }))
}
