import type { Command } from 'commander'
import type { GapId } from '../contract/gaps.js'
import { type AssumptionsLayer, chooseAssumptions } from '../service/assumptions/assumptions.js'
import { addAssumptions } from '../story/read/assumptions.js'
import { InputError } from './failure.js'
import { parseRate, parseServiceUrl } from './flag-values.js'

/** The flags that say where a live service is, and how often it is asked. */
export interface ServiceFlags {
  readonly baseUrl: string
  readonly apiKeyEnv: string
  readonly rate: number
}

/** Adds the flags that say where a live service is, and how often it is asked. */
export function addServiceFlags(command: Command): Command {
  return command
    .requiredOption('--base-url <url>', 'base URL of the service, without /api/v1', parseServiceUrl)
    .requiredOption('--api-key-env <name>', 'environment variable that holds the API key')
    .option('--rate <number>', 'requests per second', parseRate, 5)
}

/** Returns the key that an environment variable holds. @throws InputError */
export function apiKeyFrom(name: string): string {
  const key = process.env[name]?.trim()
  if (!key) {
    const remedy = `the environment variable ${name} is missing or empty; set it first: export ${name}=…`
    throw new InputError(`--api-key-env ${name}: ${remedy}`)
  }
  if (/^[!-~]+$/.test(key)) return key
  // A later refusal, by fetch, would quote it.
  const expected = 'expected printable ASCII characters without spaces, since it is sent in a header'
  throw new InputError(`--api-key-env ${name}: ${name} does not hold an API key; ${expected}.`)
}

/** Returns the assumptions of layers, and those of them that are chosen instead of default. @throws WorldError */
export async function assumptionsOfLayers(layers: readonly AssumptionsLayer[]) {
  const { assumptions, origins } = await addAssumptions(chooseAssumptions([]), layers)
  const chosen = Object.entries(assumptions).filter(([gap]) => origins[gap as GapId] !== 'default')
  return { assumptions, choices: Object.fromEntries(chosen) }
}
