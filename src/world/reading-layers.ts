import { defaultReadings, type GapId, gapIds, type Readings } from '../contract/gaps.js'
import { profileReadings, type ReadingsInput, withChoices } from './readings.js'

/** Readings somebody asked for, and who that was. */
export interface ReadingsLayer {
  /** As users are told where a reading came from, e.g. `scenario`, `MAILBOX_SIM_READINGS`, `--reading`. */
  readonly from: string
  readonly input: ReadingsInput | undefined
}

/** Readings, and for each gap who chose its reading. */
export interface ChosenReadings {
  readonly readings: Readings
  readonly origins: Readonly<Record<GapId, string>>
}

/**
 * Puts layers on readings, the default ones when they are left out, one after another: a later layer counts for
 * more.
 * @throws ReadingError
 */
export function chooseReadings(layers: readonly ReadingsLayer[], below = byDefault()): ChosenReadings {
  let { readings } = below
  const origins = { ...below.origins }
  for (const { from, input } of layers) {
    if (input === undefined) continue
    readings = typeof input === 'string' ? profileReadings(input) : withChoices(readings, input)
    const named = typeof input === 'string' ? gapIds : (Object.keys(input) as GapId[])
    for (const gap of named) origins[gap] = typeof input === 'string' ? `${from}: ${input}` : from
  }
  return { readings, origins }
}

function byDefault(): ChosenReadings {
  const origins = Object.fromEntries(gapIds.map((gap) => [gap, 'default'])) as Record<GapId, string>
  return { readings: defaultReadings, origins }
}
