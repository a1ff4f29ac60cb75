import type { Command } from 'commander'
import { flagCommand } from './flag-command.js'
import { addAssumptionsFlags, examplesOf, extendOption } from './flags.js'

/** Adds the command that prints the documented interface as OpenAPI. */
export function addOpenApi(program: Command) {
  const command = program
    .command('openapi')
    .summary('print the documented interface as OpenAPI 3.1')
    .description(
      'Prints the documented interface as an OpenAPI 3.1 document in JSON. Points that the interface ' +
        'leaves open are marked with x-gaps where they apply.',
    )
  return addAssumptionsFlags(flagCommand(command).addOption(extendOption())).addHelpText(
    'after',
    examplesOf('openapi > openapi.json', 'openapi --assume ./live.yaml > openapi.json'),
  )
}
