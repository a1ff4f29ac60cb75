import type { Command } from 'commander'

/** Adds the command that prints the format of scenarios as JSON Schema. */
export function addScenariosSchema(scenarios: Command): void {
  scenarios
    .command('schema')
    .summary('print the format of scenario files as JSON Schema')
    .description(
      'Prints the format of scenario files as JSON Schema (2020-12), with which editors complete, explain ' +
        'and check them.',
    )
    .addHelpText('after', `\n${example}`)
    .action(printSchema)
}

const example = `Example:
  agent-mailbox-sim scenarios schema > scenario.schema.json

Then, as the first line of a scenario beside it:
  # yaml-language-server: $schema=./scenario.schema.json`

async function printSchema(): Promise<void> {
  // Loaded here, so that help and wrong flags are answered without it.
  const { createScenarioJsonSchema } = await import('../scenario/documents/json-schema.js')
  process.stdout.write(`${JSON.stringify(createScenarioJsonSchema(), null, 2)}\n`)
}
