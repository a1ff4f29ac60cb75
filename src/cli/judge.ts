import type { Command } from 'commander'
import { invocation } from '../base/package.js'
import { flagCommand } from './flag-command.js'
import { reporterOption } from './flags.js'

/** Adds the command that judges kept plays by other expectations. */
export function addJudge(program: Command) {
  const command = program
    .command('judge')
    .summary('judge the plays that replay kept by other expectations')
    .description(description)
    .argument('<results>', 'folder that replay --out filled')
  return flagCommand(command)
    .requiredOption(
      '--expect <file|names>',
      'a file with "expect:", as a scenario has it, or names of invariants, separated by commas',
    )
    .addOption(reporterOption())
    .option('--json', 'the same as --reporter json')
    .option('--out <file>', 'write the report to this file; the report for people is still printed')
    .option('--verbose', 'print stack traces on the error stream')
    .addHelpText('after', `\n${examples}`)
}

const description =
  'Judges what happened in plays that replay --out kept, all trials of them, by the expectations of another file. No agent is run: ' +
  'the plays are told again from their requests, deliveries and mail, so the verdicts are those of a new run of an agent that ' +
  'does the same.'

const examples = `Examples:
  ${invocation} replay refund-conversation --trials 10 --out results/ -- python my_agent.py
  ${invocation} judge results/ --expect stricter.yaml
  ${invocation} judge results/ --expect acts-once,answers-everyone --out judged.xml

Exit status: 0 if everything passed (of trials: as many as were required), 1 if something did not, 2 for wrong usage, invalid
expectations, or results that do not have what is needed.`
