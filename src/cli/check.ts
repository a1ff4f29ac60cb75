import type { Command } from 'commander'
import { invocation } from '../base/package.js'
import { flagCommand } from './flag-command.js'
import { collectText, numberWithin, parseWait } from './flag-values.js'
import {
  addPaceFlags,
  addWorldFlags,
  agentControlsOption,
  allowDeliveryOption,
  jobsOption,
  reporterOption,
  variableOption,
} from './flags.js'

/** Adds the command that plays a story to an agent while one thing at a time goes wrong. */
export function addCheck(command: Command) {
  command
    .description(description)
    .usage('[scenario...] [options] -- <command> [argument...]')
    .argument('[scenario...]', 'names of shipped scenarios, or paths of files (default: support-desk)')
    .allowExcessArguments()
  const chosen = flagCommand(command)
    .optionsGroup('What is tried:')
    .option(
      '--only <glob>',
      'only disturbances with such ids; an asterisk stands for any characters (repeatable)',
      collectText,
    )
    .option('--list', 'print the ids of the disturbances, and stop')
    .option(
      '--time <duration>',
      'after this time of a scenario, no further disturbance begins (default: 5m)',
      parseWait,
    )
    .option(
      '--plays <number>',
      'after as many plays of a scenario, no further disturbance begins',
      parsePlays,
    )
    .option('--resume <dir>', 'first what an earlier --out DIR/ found, then what it did not try')
  return addPaceFlags(addWorldFlags(chosen, 'auto'))
    .addOption(allowDeliveryOption())
    .optionsGroup('How it is run:')
    .addOption(variableOption())
    .option('--ready <url>', 'a play begins when this URL responds')
    .option('--before <command>', 'a command line that a shell runs before each play')
    .option('--restart', 'start the command again when it exits with an error')
    .addOption(jobsOption('1'))
    .addOption(agentControlsOption())
    .optionsGroup('Output:')
    .addOption(reporterOption())
    .option(
      '--out <path>',
      'write the report to this file; to a folder (dir/) also a scenario for each finding; of several scenarios, in a folder each',
    )
    .option('--verbose', 'print stack traces on the error stream')
    .addHelpText('after', `\n${examples}`)
}

const description = [
  'Plays a scenario to your agent undisturbed, twice, and then again and again with one thing going wrong at a time: a response is ' +
    'lost, an event comes twice, the agent is killed, a hostile mail comes, an open point of the interface is otherwise. It reports ' +
    'what breaks the agent for certain, what to do about it, and the command that repeats it.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, its tools in MAILBOX_MCP_URL, and keeps what it has to ' +
    'remember in MAILBOX_STATE_DIR, which is new for each play. The scenario says what is expected, what is `known`, and which ' +
    '`invariants` are off. A command that starts simulators in its own processes, such as a test runner, is tried under other ' +
    'assumptions only. Ctrl-C ends the check with the report so far.',
].join('\n\n')

const examples = `Examples:
  ${invocation} check refund.yaml -- python3 agent.py
  ${invocation} check refund.yaml --list -- python3 agent.py
  ${invocation} check refund.yaml --only 'restarts/*' --out results/ -- node agent.mjs
  ${invocation} check -- npx vitest run        other assumptions for simulators in your tests
  ${invocation} replay refund.yaml --disturb faults/messages.reply/1/lost -- python3 agent.py

Exit status: 0 if nothing broke, 1 if something did or the agent fails undisturbed, 2 for wrong usage or if nothing could be
tried, 130 or 143 if it was interrupted.`

const parsePlays = numberWithin(1, 999_999, 'It is a whole number from 1 to 999999.')
