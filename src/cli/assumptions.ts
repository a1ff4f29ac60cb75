import type { Command } from 'commander'
import { invocation } from '../base/package.js'
import { flagCommand } from './flag-command.js'
import { addAssumptionsFlags, examplesOf, extendOption, loadedAction } from './flags.js'

const actions = () => import('./actions/assumptions.js')

/** Adds the commands that show gaps and their assumptions. */
export function addAssumptionsCommands(program: Command): void {
  const assumptions = program
    .command('assumptions')
    .summary('show what the interface leaves open, and the assumptions in force')
    .description(
      'The interface leaves some points open. Each is a gap; each possible answer to it is an assumption. ' +
        'Without a command, the assumptions in force are listed.',
    )
    .usage('[list | show <gap...> | profile <name|file>] [options]')
    .addHelpText('after', `\n${examples}`)
  addList(assumptions)
  addShow(assumptions)
  addProfile(assumptions)
}

const examples = `Examples:
  ${invocation} assumptions                               every gap, its assumption, and where it was chosen
  ${invocation} assumptions --assume worst-case         the same, with --assume worst-case
  ${invocation} assumptions show threads.total            one gap: its assumptions, and how to be correct under each
  ${invocation} assumptions profile seed:7 > seven.yaml   assumptions to save and edit
  ${invocation} serve --assume ./seven.yaml          serves a scenario with them`

/** Adds the command that lists the assumptions a scenario would be served with. */
function addList(assumptions: Command): void {
  const command = assumptions
    .command('list', { isDefault: true })
    .summary('list every gap with the assumption in force')
    .description(
      'Lists every gap with the assumption that serve would start with, and where it was chosen. A flag overrides the ' +
        'environment (MAILBOX_SIM_ASSUME), which overrides the scenario, which overrides the default.',
    )
    .option('--scenario <name|path>', 'the scenario to read', 'support-desk')
    .addOption(extendOption())
  addAssumptionsFlags(flagCommand(command))
    .option(
      '--json',
      'print one JSON object: {"assumptions": {gap: assumption}, "origins": {gap: from}, "gaps": […]}',
    )
    .allowExcessArguments()
    .addHelpText('after', examplesOf('assumptions list', 'assumptions list --scenario ./story.yaml --json'))
    .action(loadedAction(actions, ({ listAssumptions }) => listAssumptions))
}

/** Adds the command that explains gaps. */
function addShow(assumptions: Command): void {
  assumptions
    .command('show')
    .summary('explain gaps: their assumptions, and how a client can be correct under each')
    .description(
      'Explains gaps: the question the interface leaves open, every assumption with what a client sees under ' +
        'it, how a client can be correct under all of them, and what is known about real services.',
    )
    .argument('<gap...>', 'one or more gaps, e.g. threads.total')
    .addOption(extendOption())
    .option('--json', 'print one JSON object per gap, each on a line')
    .addHelpText(
      'after',
      examplesOf('assumptions show threads.total', 'assumptions show threads.total threads.order'),
    )
    .action(loadedAction(actions, ({ showGaps }) => showGaps))
}

/** Adds the command that prints a profile. */
function addProfile(assumptions: Command): void {
  assumptions
    .command('profile')
    .summary('print all assumptions of a profile or a file')
    .description(
      'Prints all assumptions of a profile, or of a file and what it extends, in the form of a file for --assume.',
    )
    .argument('<name|file>', 'default, worst-case, seed:<n>, or a file of assumptions')
    .option('--json', 'as JSON instead of YAML')
    .addHelpText('after', examplesOf('assumptions profile seed:7 > seven.yaml'))
    .action(loadedAction(actions, ({ printProfile }) => printProfile))
}
