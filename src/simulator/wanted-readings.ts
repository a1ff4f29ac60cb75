import { loadReadings, type ScenarioDefinition } from '../scenario/index.js'
import type { ChosenReadings, ReadingsInput, ReadingsLayer } from '../world/index.js'
import { environmentVariable } from './environment.js'

/** Readings as a program asks for them; of several, the later ones count. */
export type WantedReadings = ReadingsInput | readonly (ReadingsInput | ReadingsLayer)[] | undefined

/** The environment counts for more than the scenario, and what the program asks for counts most. */
export function wantedLayers(wanted: WantedReadings): ReadingsLayer[] {
  const environment = { from: 'MAILBOX_SIM_READINGS', input: environmentVariable('MAILBOX_SIM_READINGS') }
  return [environment, ...[wanted].flat().map(toLayer)]
}

/** The readings a simulator would begin with, and who chose each. @throws ScenarioError, ReadingError */
export function chosenReadings(
  scenario: string | ScenarioDefinition,
  wanted: WantedReadings,
): Promise<ChosenReadings> {
  return loadReadings(scenario, wantedLayers(wanted))
}

function toLayer(input: ReadingsInput | ReadingsLayer | undefined): ReadingsLayer {
  return typeof input === 'object' && isLayer(input) ? input : { from: 'options', input }
}

function isLayer(input: object): input is ReadingsLayer {
  return 'from' in input
}
