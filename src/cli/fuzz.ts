import { type Command, InvalidArgumentError } from 'commander'
import { invocation } from '../base/package.js'
import { defaultKinds, type Vary, varyKinds } from '../runs/fuzz/kinds/vary.js'
import { flagCommand } from './flag-command.js'
import { numberWithin, parseWait } from './flag-values.js'
import {
  addPaceFlags,
  addWorldFlags,
  agentControlsOption,
  allowDeliveryOption,
  findingsFolder,
  jobsOption,
  reporterOption,
  variableOption,
} from './flags.js'

/** Adds the command that looks for stories that break another one. */
export function addFuzz(command: Command) {
  command
    .description(description)
    .usage('[scenario] [options] -- <command> [argument...]')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file (default: support-desk)')
    .allowExcessArguments()
  const tried = flagCommand(command)
    .optionsGroup('What is tried:')
    .option('--runs <number>', 'how many plans to try', parseCount, 300)
    .option('--time <duration>', 'time limit, after which no new plan starts', parseWait)
    .option(
      '--vary <list>',
      `kinds of changes in plans (default: ${defaultKinds.join(',')}); +life adds one to these`,
      parseKinds,
    )
    .option('--shrink-runs <number>', 'maximum number of runs to reduce one finding', parseCount, 60)
  const paced = addPaceFlags(addWorldFlags(tried, 'auto'))
  const seed = command.options.find(({ long }) => long === '--seed')
  if (seed) seed.description = 'seed of the plans; the scenario keeps its own (default: 1)'
  return paced
    .addOption(allowDeliveryOption())
    .optionsGroup('How it is run:')
    .addOption(variableOption())
    .addOption(agentControlsOption())
    .addOption(jobsOption('one for each processor'))
    .optionsGroup('Output:')
    .addOption(reporterOption())
    .option('--out <path>', `a folder for findings (default: ${findingsFolder}), or a file for the report`)
    .option('--verbose', 'print stack traces on the error stream')
    .addHelpText('after', `\n${examples}`)
}

const description = [
  'Runs a command against a scenario whose story is changed a little each time: mail arrives between two pages, a ' +
    'response fails, an event is delivered twice, a point that the interface leaves open gets another assumption. When the command ' +
    'fails, the story is reduced to the smallest that still breaks it, and written as a scenario file for `replay`.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, its tools in MAILBOX_MCP_URL, and the control API in MAILBOX_SIM_URL. It is ' +
    'judged by its exit status, by the expectations of the scenario, and by rules for any good client. Ctrl-C ends the ' +
    'search with a report of what was found so far.',
].join('\n\n')

const examples = `Examples:
  ${invocation} fuzz refund-request --runs 300 -- python3 agent.py --once
  ${invocation} fuzz desk.yaml --vary mail,faults --seed 7 -- node agent.mjs
  ${invocation} fuzz desk.yaml --time 5m --reporter junit -- ./agent

Exit status: 0 if nothing was found, 1 if something was found or the command fails without any change, 2 for wrong
usage or a command that sends no request.`

const parseCount = numberWithin(1, 999_999, 'It is a whole number from 1 to 999999.')

function parseKinds(text: string): Vary[] {
  const names = text.split(',').flatMap((name) => namesIn(name.trim()))
  const unknown = names.find((name) => !varyKinds.includes(name as Vary))
  if (unknown === undefined) return [...new Set(names as Vary[])]
  throw new InvalidArgumentError(`"${unknown}" is not one of ${varyKinds.join(', ')}.`)
}

/** Returns the names that one in the list stands for: `+life` for `life` and all that are varied by default. */
function namesIn(name: string): string[] {
  return name.startsWith('+') ? [...defaultKinds, name.slice(1)] : [name]
}
