import { gapIds } from '../contract/gaps.js'
import { readingsLayers } from '../scenario/index.js'
import { wantedLayers } from '../simulator/wanted-readings.js'
import { chooseReadings, type ReadingsLayer } from '../world/index.js'
import { type Changes, changesOf } from './changes.js'

/**
 * The readings that the environment and flags choose, whatever scenario a simulator has: those of a profile are a
 * complete choice, a file or `gap=reading` chooses what it names.
 * @throws ReadingError
 */
export async function chosenReadings(flags: readonly ReadingsLayer[]): Promise<Changes> {
  const layers = (await Promise.all(wantedLayers(flags).map(layersOf))).flat()
  const { readings } = chooseReadings(layers)
  const whole = layers.some(({ input }) => typeof input === 'string')
  const named = new Set(layers.flatMap(({ input }) => (typeof input === 'object' ? Object.keys(input) : [])))
  const chosen = gapIds.filter((gap) => whole || named.has(gap))
  return changesOf(chosen.map((gap) => ({ gap, reading: readings[gap] })))
}

function layersOf(layer: ReadingsLayer): Promise<ReadingsLayer[]> | ReadingsLayer[] {
  return layer.input === undefined ? [] : readingsLayers(layer)
}
