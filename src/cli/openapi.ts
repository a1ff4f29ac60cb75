import type { Command } from 'commander'
import { version } from '../base/package.js'
import { createOpenApi } from '../contract/openapi.js'
import type { SimulatorOptions } from '../doors/simulator/options.js'
import { chosenAssumptions } from '../doors/simulator/scenario-loader.js'
import { addAssumptionsFlags, examplesOf, extendOption } from './flags.js'
import { print } from './terminal.js'

/** Adds the command that prints the documented interface as OpenAPI. */
export function addOpenApi(command: Command): void {
  command.description(
    'Prints the documented interface as an OpenAPI 3.1 document in JSON. Points that the interface ' +
      'leaves open are marked with x-gaps where they apply.',
  )
  addAssumptionsFlags(command.addOption(extendOption()))
    .addHelpText('after', examplesOf('openapi > openapi.json', 'openapi --assume ./live.yaml > openapi.json'))
    .action(printOpenApi)
}

/** Prints the documented interface, with the operations of extensions. */
async function printOpenApi({ assume, extend }: Pick<SimulatorOptions, 'assume' | 'extend'>): Promise<void> {
  const chosen = await chosenAssumptions('support-desk', assume, extend)
  print(JSON.stringify(createOpenApi({ version, ...chosen }), null, 2))
}
