import type { Command } from 'commander'
import { gapIds } from '../contract/gaps.js'
import { nearestName } from '../contract/nearest.js'
import type { ChosenReadings } from '../world/index.js'
import { layersOfFlags, type ReadingsFlags, readingOption, readingsOption } from './readings-flags.js'
import { refuseArguments } from './subcommands.js'
import { type Paint, paintFor } from './terminal.js'

interface ListFlags extends ReadingsFlags {
  readonly scenario: string
  readonly json?: true
}

/** Adds the command that lists the readings a scenario would be served with. */
export function addReadingsList(readings: Command): void {
  readings
    .command('list', { isDefault: true })
    .summary('list every gap with the reading in force')
    .description(
      'Lists every gap with the reading that serve would begin with, and who chose it. A flag counts for ' +
        'more than the environment (MAILBOX_SIM_READINGS), that for more than the scenario, and the ' +
        'scenario for more than the default.',
    )
    .option('--scenario <name|path>', 'the scenario to be read', 'support-desk')
    .addOption(readingsOption())
    .addOption(readingOption())
    .option('--json', 'one JSON object: {"readings": {gap: reading}, "origins": {gap: from}}')
    .allowExcessArguments()
    .action(list)
}

async function list(flags: ListFlags, command: Command): Promise<void> {
  refuseArguments(command, ['list', 'show', 'profile'], showOf)
  // Loaded here, so that help and wrong flags are answered without it.
  const { chosenReadings } = await import('../simulator/wanted-readings.js')
  const { readings, origins } = await chosenReadings(flags.scenario, layersOfFlags(flags))
  const text = flags.json
    ? JSON.stringify({ readings, origins })
    : formatList({ readings, origins }, paintFor(process.stdout))
  process.stdout.write(`${text}\n`)
}

/** A gap alone is meant to be shown. */
function showOf(name: string): string | undefined {
  const gap = nearestName(name, gapIds)
  return gap && `show ${gap}`
}

function formatList({ readings, origins }: ChosenReadings, paint: Paint): string {
  const rows = gapIds.map((gap) => {
    const chosen = origins[gap] !== 'default'
    return { chosen, cells: [gap, readings[gap], origins[gap]], mark: chosen ? '*' : ' ' }
  })
  const widths = [0, 1].map((column) => Math.max(...rows.map(({ cells }) => cells[column]?.length ?? 0)))
  const line = (mark: string, cells: readonly string[]) => {
    return `${mark} ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`
  }
  const table = rows.map(({ chosen, cells, mark }) => {
    return chosen ? paint.strong(line(mark, cells)) : line(mark, cells)
  })
  const count = rows.filter(({ chosen }) => chosen).length
  const marked = count === 0 ? 'nobody chose a reading' : `* marks ${count} whose reading was chosen`
  return [
    paint.faint(line(' ', ['gap', 'reading', 'from'])),
    ...table,
    '',
    `${rows.length} gaps; ${marked}.`,
    'agent-mailbox-sim readings show <gap> explains a gap and its readings.',
  ].join('\n')
}
