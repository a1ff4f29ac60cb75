import type { Command } from 'commander'
import { invocation } from '../base/index.js'
import { flagCommand } from './flag-command.js'
import { addReadingsFlags, examplesOf, extendOption, loadedAction } from './flags.js'

const actions = () => import('./actions/readings.js')

/** Adds the commands that show gaps and their readings. */
export function addReadingsCommands(program: Command): void {
  const readings = program
    .command('readings')
    .summary('show what the interface leaves open, and the readings in force')
    .description(
      'The interface leaves some points open. Each is a gap; each possible answer to it is a reading. ' +
        'Without a command, the readings in force are listed.',
    )
    .usage('[list | show <gap...> | profile <name|file>] [options]')
    .addHelpText('after', `\n${examples}`)
  addList(readings)
  addShow(readings)
  addProfile(readings)
}

const examples = `Examples:
  ${invocation} readings                               every gap, its reading, and where it was chosen
  ${invocation} readings --readings worst-case         the same, with --readings worst-case
  ${invocation} readings show threads.total            one gap: its readings, and how to be correct under each
  ${invocation} readings profile seed:7 > seven.yaml   readings to save and edit
  ${invocation} serve --readings ./seven.yaml          serves a scenario with them`

/** Adds the command that lists the readings a scenario would be served with. */
function addList(readings: Command): void {
  const command = readings
    .command('list', { isDefault: true })
    .summary('list every gap with the reading in force')
    .description(
      'Lists every gap with the reading that serve would start with, and where it was chosen. A flag overrides the ' +
        'environment (MAILBOX_SIM_READINGS), which overrides the scenario, which overrides the default.',
    )
    .option('--scenario <name|path>', 'the scenario to read', 'support-desk')
    .addOption(extendOption())
  addReadingsFlags(flagCommand(command))
    .option(
      '--json',
      'print one JSON object: {"readings": {gap: reading}, "origins": {gap: from}, "gaps": […]}',
    )
    .allowExcessArguments()
    .addHelpText('after', examplesOf('readings list', 'readings list --scenario ./story.yaml --json'))
    .action(loadedAction(actions, ({ listReadings }) => listReadings))
}

/** Adds the command that explains gaps. */
function addShow(readings: Command): void {
  readings
    .command('show')
    .summary('explain gaps: their readings, and how a client can be correct under each')
    .description(
      'Explains gaps: the question the interface leaves open, every reading with what a client sees under ' +
        'it, how a client can be correct under all of them, and what is known about real services.',
    )
    .argument('<gap...>', 'one or more gaps, e.g. threads.total')
    .addOption(extendOption())
    .option('--json', 'print one JSON object per gap, each on a line')
    .addHelpText(
      'after',
      examplesOf('readings show threads.total', 'readings show threads.total threads.order'),
    )
    .action(loadedAction(actions, ({ showGaps }) => showGaps))
}

/** Adds the command that prints a profile. */
function addProfile(readings: Command): void {
  readings
    .command('profile')
    .summary('print all readings of a profile or a file')
    .description(
      'Prints all readings of a profile, or of a file and what it extends, in the form of a file for --readings.',
    )
    .argument('<name|file>', 'default, worst-case, seed:<n>, or a file of readings')
    .option('--json', 'as JSON instead of YAML')
    .addHelpText('after', examplesOf('readings profile seed:7 > seven.yaml'))
    .action(loadedAction(actions, ({ printProfile }) => printProfile))
}
