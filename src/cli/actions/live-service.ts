import type { GapId } from '../../contract/gaps.js'
import { chooseReadings, type ReadingsLayer } from '../../service/world/index.js'
import { addReadings } from '../../story/index.js'
import { InputError } from '../failure.js'

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

/** Returns the readings of layers, and those of them that are chosen instead of default. @throws ReadingError */
export async function readingsOfLayers(layers: readonly ReadingsLayer[]) {
  const { readings, origins } = await addReadings(chooseReadings([]), layers)
  const chosen = Object.entries(readings).filter(([gap]) => origins[gap as GapId] !== 'default')
  return { readings, choices: Object.fromEntries(chosen) }
}
