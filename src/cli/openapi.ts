import type { Command } from 'commander'
import { addReadingsFlags, examplesOf, extendOption, loadedAction } from './flags.js'

/** Adds the command that prints the documented interface as OpenAPI. */
export function addOpenApi(program: Command): void {
  const command = program
    .command('openapi')
    .summary('print the documented interface as OpenAPI 3.1')
    .description(
      'Prints the documented interface as an OpenAPI 3.1 document in JSON. Points that the interface ' +
        'leaves open are marked with x-gaps where they apply.',
    )
    .addOption(extendOption())
  addReadingsFlags(command)
    .addHelpText(
      'after',
      examplesOf('openapi > openapi.json', 'openapi --readings ./live.yaml > openapi.json'),
    )
    .action(
      loadedAction(
        () => import('./actions/openapi.js'),
        ({ printOpenApi }) => printOpenApi,
      ),
    )
}
