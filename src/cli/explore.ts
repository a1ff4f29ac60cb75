import { type Command, Option } from 'commander'
import type { WantedGaps } from '../explore/index.js'
import type { ReportForm } from '../explore/reporters/index.js'
import type { ClockMode } from '../world/clock-mode.js'
import { formatCommandWords, splitCommandWords } from './command-words.js'
import { parseGaps, parseJobs, parseTimeLimit } from './explore-flags.js'
import { InputError } from './failure.js'
import { collectName } from './flag-values.js'
import type { ReadingsFlags } from './readings-flags.js'
import { addWorldFlags } from './server-flags.js'

const reporters: readonly ReportForm[] = ['human', 'json', 'junit', 'markdown']

/** What the command is told by its flags. */
export interface ExploreFlags extends ReadingsFlags {
  readonly gaps: WantedGaps
  readonly pairs?: true
  readonly seed?: number
  readonly clock: ClockMode
  readonly allowDeliveryTo?: readonly string[]
  readonly jobs?: number
  readonly timeLimit?: number
  readonly reporter?: ReportForm
  readonly out?: string
  readonly verbose?: true
}

/** Adds the command that runs another one under the readings it relies on. */
export function addExplore(program: Command): void {
  const command = program
    .command('explore')
    .summary('find out which silent points of the interface your client hangs on')
    .description(description)
    .usage('[scenario] [options] -- <command> [argument...]')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file (default: support-desk)')
    .allowExcessArguments()
    .optionsGroup('What is tried:')
    .option('--gaps <relied|all|list>', 'the gaps, e.g. threads.total,threads.order', parseGaps, 'relied')
    .option('--pairs', 'then, together, the readings that break nothing by themselves')
  addWorldFlags(command, '10x')
    .option('--allow-delivery-to <host[:port]>', 'a receiver of events beyond this machine', collectName)
    .optionsGroup('How it is run:')
    .option('--jobs <number>', jobs, parseJobs)
    .option('--time-limit <duration>', timeLimit, parseTimeLimit)
    .optionsGroup('What it says:')
    .addOption(
      new Option('--reporter <name>', 'how the report is written (default: human)').choices(reporters),
    )
    .option('--out <file>', 'where the report goes; people still get theirs here')
    .option('--verbose', 'stack traces on the error stream')
    .addHelpText('after', `\n${examples}`)
    .action(explore)
}

const jobs = 'runs at a time (default: one for each processor; one where the command receives events)'

const timeLimit = 'for each run (default: 5m, then ten times what the first took, at least 30s)'

const description = [
  'Runs a command against a simulator of its own, notes which silent points of the interface (gaps) it relied on, ' +
    'and runs it again under each other reading of them that would have given it another answer. What it fails ' +
    'under then are guesses about the service that it hangs on.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, and the control API in MAILBOX_SIM_URL. ' +
    'Simulators inside its own processes, as in unit tests, follow along by MAILBOX_SIM_READINGS and ' +
    'MAILBOX_SIM_TRACE. It is to end by itself, with status 0 where all is well: a test, not an agent that goes on.',
].join('\n\n')

const examples = `Examples:
  agent-mailbox-sim explore -- npm test
  agent-mailbox-sim explore refund-request -- python3 check_my_agent.py
  agent-mailbox-sim explore --gaps threads.total,threads.order -- npx vitest run
  agent-mailbox-sim explore --pairs --out explore.xml -- npm test        JUnit for the CI, a table for you
  agent-mailbox-sim explore --reading threads.total=page-size -- npm test    shows how it fails under that

Exit status: 0 where nothing breaks the command, 1 where something does or it fails by itself, 2 for wrong usage.`

async function explore(_: string | undefined, flags: ExploreFlags, command: Command): Promise<void> {
  const { own, words } = splitCommandWords(command)
  const [scenario, ...surplus] = own
  if (surplus.length > 0) {
    const meant =
      words.length > 0 ? '' : ` Did you mean: agent-mailbox-sim explore -- ${formatCommandWords(own)}`
    throw new InputError(`explore takes one scenario; the command goes after --.${meant}`)
  }
  if (words.length === 0) {
    const example = ['agent-mailbox-sim', 'explore', ...own, '--', 'npm', 'test'].join(' ')
    throw new InputError(`explore needs a command to run, after --: ${example}`)
  }
  // Loaded here, so that help and wrong flags are answered without it.
  const { runExplore } = await import('./explore-run.js')
  await runExplore(scenario, words, flags)
}
