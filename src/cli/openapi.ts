import type { Command } from 'commander'
import { version } from '../contract/package.js'
import { addReadingsFlags, examplesOf, extendOption, layersOfFlags, type ReadingsFlags } from './flags.js'

interface OpenApiFlags extends ReadingsFlags {
  readonly extend?: readonly string[]
}

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
    .action(printDocument)
}

async function printDocument({ extend = [], ...flags }: OpenApiFlags): Promise<void> {
  // Loaded here, so that help and wrong flags are answered without it.
  const { createOpenApi } = await import('../contract/openapi.js')
  const { defaultReadings } = await import('../contract/gaps.js')
  const chosen =
    extend.length === 0 && !flags.readings && !flags.reading
      ? { readings: defaultReadings }
      : await chosenBy(flags, extend)
  process.stdout.write(`${JSON.stringify(createOpenApi({ version, ...chosen }), null, 2)}\n`)
}

async function chosenBy(flags: ReadingsFlags, extend: readonly string[]) {
  const { chosenReadings } = await import('../simulator/scenario-loader.js')
  return chosenReadings('support-desk', layersOfFlags(flags), extend)
}
