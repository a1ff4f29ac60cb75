import type { Command } from 'commander'
import { version } from '../server/version.js'

/** Adds the command that prints the documented interface as OpenAPI. */
export function addOpenApi(program: Command): void {
  program
    .command('openapi')
    .summary('print the documented interface as OpenAPI 3.1')
    .description(
      'Prints the documented interface as an OpenAPI 3.1 document in JSON. What the interface leaves open ' +
        'is noted as x-gaps beside what it concerns.',
    )
    .addHelpText('after', '\nExample:\n  agent-mailbox-sim openapi > openapi.json')
    .action(printDocument)
}

async function printDocument(): Promise<void> {
  // Loaded here, so that help and wrong flags are answered without it.
  const { createOpenApi } = await import('../contract/openapi.js')
  process.stdout.write(`${JSON.stringify(createOpenApi({ version }), null, 2)}\n`)
}
