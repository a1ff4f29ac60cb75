import { parseDocument } from 'yaml'
import { findScenario, shippedScenarios } from './find-scenario.js'

/** A scenario that ships with the simulator. */
export interface ShippedScenario {
  readonly name: string
  /** What it holds, in a sentence. */
  readonly describe: string
}

/** The scenarios that ship with the simulator, by name; they are neither checked nor built. */
export async function describeShipped(): Promise<ShippedScenario[]> {
  const names = await shippedScenarios()
  return Promise.all(names.map(async (name) => ({ name, describe: await describe(name) })))
}

async function describe(name: string): Promise<string> {
  const { text } = await findScenario(name)
  const described: unknown = parseDocument(text).get('describe')
  // A folded text ends with a line break.
  return typeof described === 'string' ? described.trim().replace(/\s+/g, ' ') : ''
}
