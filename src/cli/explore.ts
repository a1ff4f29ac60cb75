import { type Command, InvalidArgumentError } from 'commander'
import { invocation } from '../base/package.js'
import type { GapId } from '../contract/gaps.js'
import type { WantedGaps } from '../runs/explore/survey.js'
import { parseGap } from '../service/assumptions/assumptions.js'
import { parseDuration } from '../service/time/time.js'
import { maxTimerDelay } from '../service/time/wall-time.js'
import { flagCommand } from './flag-command.js'
import { numberWithin } from './flag-values.js'
import {
  addPaceFlags,
  addWorldFlags,
  allowDeliveryOption,
  jobsOption,
  reporterOption,
  variableOption,
} from './flags.js'

/** Adds the command that runs another one under the assumptions it relies on. */
export function addExplore(command: Command) {
  command
    .description(description)
    .usage('[scenario] [options] -- <command> [argument...]')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file (default: support-desk)')
    .allowExcessArguments()
  const chosen = flagCommand(command)
    .optionsGroup('What is tested:')
    .option(
      '--gaps <relied|all|list>',
      'the gaps: those that responses depend on (relied), all, or a list such as threads.total,threads.order',
      parseGaps,
      'relied',
    )
  return addPaceFlags(addWorldFlags(chosen, 'auto'))
    .addOption(allowDeliveryOption())
    .optionsGroup('How it is run:')
    .addOption(variableOption())
    .addOption(jobsOption('one for each processor'))
    .option('--time-limit <duration>', timeLimit, parseTimeLimit)
    .optionsGroup('Output:')
    .addOption(reporterOption())
    .option('--out <file>', 'write the report to this file; the report for people is still printed')
    .option('--verbose', 'print stack traces on the error stream')
    .addHelpText('after', `\n${examples}`)
}

const timeLimit =
  'time limit for each run (default: 5m, then ten times as long as the first run, at least 30s)'

const description = [
  'Runs a command against its own simulator, notes on which open points of the interface (gaps) its responses depended, ' +
    'and runs it again under each other assumption of them that would have given it a different response. If it fails there, ' +
    'it depends on a guess about the service.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, its tools in MAILBOX_MCP_URL, and the control API in MAILBOX_SIM_URL. ' +
    'Simulators inside its processes, as in unit tests, follow MAILBOX_SIM_ASSUME and MAILBOX_SIM_TRACE. The ' +
    'command exits on its own, with status 0 if it succeeds, as a test does. An agent that keeps running is judged by what ' +
    'the scenario expects, as in replay.',
].join('\n\n')

const examples = `Examples:
  ${invocation} explore -- npm test
  ${invocation} explore refund-request -- python3 check_my_agent.py
  ${invocation} explore --gaps threads.total,threads.order -- npx vitest run
  ${invocation} explore --out explore.xml -- npm test    JUnit for CI, a table for you
  ${invocation} explore --assume threads.total=page-size -- npm test    shows how it fails there

Exit status: 0 if nothing breaks the command, 1 if something does or it fails without any change, 2 for wrong
usage or a command that sends no request.`

function parseGaps(text: string): WantedGaps {
  if (text === 'relied' || text === 'all') return text
  try {
    return text.split(',').map((name) => {
      // Extensions are not loaded yet, so it may be a gap of one.
      return name.includes('.') ? (name.trim() as GapId) : parseGap(name.trim())
    })
  } catch (error) {
    throw new InvalidArgumentError(
      `${(error as Error).message}\nIt must be relied, all, or a list such as threads.total,threads.order.`,
    )
  }
}

const parseTimeLimit = numberWithin(
  1,
  maxTimerDelay,
  'A time limit is a duration such as 30s, 5m or 1h, at most 24 days.',
  parseDuration,
)
