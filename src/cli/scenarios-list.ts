import type { Command } from 'commander'
import type { ShippedScenario } from '../scenario/source/shipped.js'
import { refuseArguments } from './subcommands.js'
import { type Paint, paintFor } from './terminal.js'

/** Adds the command that lists the scenarios that ship with the simulator. */
export function addScenariosList(scenarios: Command): void {
  scenarios
    .command('list', { isDefault: true })
    .summary('list the scenarios that ship with the simulator')
    .description('Lists the scenarios that ship with the simulator, each with what it holds.')
    .option('--json', 'one JSON object: {"scenarios": [{name, describe}]}')
    .allowExcessArguments()
    .action(list)
}

async function list(flags: { readonly json?: true }, command: Command): Promise<void> {
  refuseArguments(command, ['list', 'check', 'schema', 'new'], checkOf)
  // Loaded here, so that help and wrong flags are answered without it.
  const { describeShipped } = await import('../scenario/source/shipped.js')
  const scenarios = await describeShipped()
  const text = flags.json ? JSON.stringify({ scenarios }) : formatList(scenarios, paintFor(process.stdout))
  process.stdout.write(`${text}\n`)
}

/** A file alone is meant to be checked. */
function checkOf(argument: string): string | undefined {
  return /\.\w+$/.test(argument) ? `check ${argument}` : undefined
}

function formatList(scenarios: readonly ShippedScenario[], paint: Paint): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  const lines = scenarios.map(({ name, describe }) => `${paint.strong(name.padEnd(width))}  ${describe}`)
  return [
    paint.faint(`${'scenario'.padEnd(width)}  what it holds`),
    ...lines,
    '',
    'agent-mailbox-sim serve <scenario> serves one; scenarios new <file> begins one of your own.',
  ].join('\n')
}
