import type { Command } from 'commander'
import { version } from '../base/package.js'
import { defaultAssumptions } from '../contract/gaps.js'
import { createOpenApi } from '../contract/openapi.js'
import { chosenAssumptions } from '../doors/simulator/scenario-loader.js'
import { type FlagsOf, flagCommand } from './flag-command.js'
import {
  type AssumptionsFlags,
  addAssumptionsFlags,
  examplesOf,
  extendOption,
  layersOfFlags,
} from './flags.js'

/** Adds the command that prints the documented interface as OpenAPI. */
export function addOpenApi(command: Command): void {
  flagsOfOpenApi(command).action(printOpenApi)
}

function flagsOfOpenApi(command: Command) {
  command.description(
    'Prints the documented interface as an OpenAPI 3.1 document in JSON. Points that the interface ' +
      'leaves open are marked with x-gaps where they apply.',
  )
  return addAssumptionsFlags(flagCommand(command).addOption(extendOption())).addHelpText(
    'after',
    examplesOf('openapi > openapi.json', 'openapi --assume ./live.yaml > openapi.json'),
  )
}

type OpenApiFlags = FlagsOf<typeof flagsOfOpenApi>

/** Prints the documented interface, with the operations of extensions. */
async function printOpenApi({ extend = [], ...flags }: OpenApiFlags): Promise<void> {
  const chosen =
    extend.length === 0 && !flags.assume ? { assumptions: defaultAssumptions } : await chosenBy(flags, extend)
  process.stdout.write(`${JSON.stringify(createOpenApi({ version, ...chosen }), null, 2)}\n`)
}

function chosenBy(flags: AssumptionsFlags, extend: readonly string[]) {
  return chosenAssumptions('support-desk', layersOfFlags(flags), extend)
}
