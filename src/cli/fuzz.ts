import { extname, join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { invocation } from '../contract/package.js'
import type { Fuzzed, FuzzOptions } from '../fuzz/fuzz.js'
import type { Vary } from '../fuzz/kinds/index.js'
import type { SearchWatcher } from '../fuzz/search.js'
import type { TypedFlag } from '../reports/index.js'
import type { ClockMode } from '../world/time.js'
import { interruptible } from './failure.js'
import {
  addWorldFlags,
  allowDeliveryOption,
  type ClientFlags,
  numberWithin,
  parseClientCommand,
  parseWait,
  reporterOption,
  typedFlagsOf,
  variableOption,
  type WorldFlags,
  worldOptionsOf,
} from './flags.js'
import { Progress } from './terminal.js'

interface FuzzFlags extends WorldFlags, ClientFlags {
  readonly clock: ClockMode
  readonly runs: number
  readonly time?: number
  readonly vary?: readonly Vary[]
  readonly shrinkRuns: number
  readonly jobs?: number
}

/** Not imported, so that help and wrong flags are answered without the search. */
const kinds: readonly Vary[] = ['readings', 'faults', 'mail', 'sizes', 'timing', 'deliveries']

/** The default folder for findings. */
const defaultFolder = 'fuzz-findings'

/** Adds the command that looks for stories that break another one. */
export function addFuzz(program: Command): void {
  const command = program
    .command('fuzz')
    .summary('find the smallest story that breaks your client')
    .description(description)
    .usage('[scenario] [options] -- <command> [argument...]')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file (default: support-desk)')
    .allowExcessArguments()
    .optionsGroup('What is tried:')
    .option('--runs <number>', 'how many plans to try', parseCount, 300)
    .option('--time <duration>', 'time limit, after which no new plan starts', parseWait)
    .option('--vary <list>', `kinds of changes in plans (default: ${kinds.join(',')})`, parseKinds)
    .option('--shrink-runs <number>', 'maximum number of runs to reduce one finding', parseCount, 60)
  addWorldFlags(command, '10x')
  const seed = command.options.find(({ long }) => long === '--seed')
  if (seed) seed.description = 'seed of the plans; the scenario keeps its own (default: 1)'
  command
    .addOption(allowDeliveryOption())
    .optionsGroup('How it is run:')
    .addOption(variableOption())
    .option(
      '--jobs <number>',
      'runs at a time (default: two for each processor; one if it receives events)',
      parseCount,
    )
    .optionsGroup('Output:')
    .addOption(reporterOption())
    .option('--out <path>', `a folder for findings (default: ${defaultFolder}), or a file for the report`)
    .option('--verbose', 'print stack traces on the error stream')
    .addHelpText('after', `\n${examples}`)
  const typed = typedFlagsOf(command)
  command.action((_: string | undefined, flags: FuzzFlags, line: Command) => fuzz(flags, line, typed))
}

const description = [
  'Runs a command against a scenario whose story is changed a little each time: mail arrives between two pages, an ' +
    'answer fails, an event is delivered twice, a point that the interface leaves open gets another reading. When the command ' +
    'fails, the story is reduced to the smallest that still breaks it, and written as a scenario file for `replay`.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, and the control API in MAILBOX_SIM_URL. It is ' +
    'judged by its exit status, by the expectations of the scenario, and by rules for any good client. Ctrl-C ends the ' +
    'search with a report of what was found so far.',
].join('\n\n')

const examples = `Examples:
  ${invocation} fuzz refund-request --runs 300 -- python3 agent.py --once
  ${invocation} fuzz desk.yaml --vary mail,faults --seed 7 -- node agent.mjs
  ${invocation} fuzz desk.yaml --time 5m --reporter junit -- ./agent

Exit status: 0 if nothing was found, 1 if something was found or the command fails without any change, 2 for wrong
usage or a command that sends no request.`

async function fuzz(flags: FuzzFlags, line: Command, typed: readonly TypedFlag[]): Promise<void> {
  const { scenario, command } = await parseClientCommand(line, typed, ['python3', 'agent.py'])
  const { isFolder, prepareFile } = await import('../reports/index.js')
  const { out = defaultFolder } = flags
  const isFile = extname(out) !== '' && !out.endsWith('/') && !(await isFolder(out))
  const { fuzzReport } = await import('../fuzz/report.js')
  const { explained, failUnlessPassed, reportPlace, writeReport } = await import('./report-output.js')
  if (flags.out !== undefined && !isFile) await explained(out, () => prepareFile(join(out, 'finding.yaml')))
  const place = isFile ? await reportPlace(out, flags.reporter) : undefined
  const folder = isFile ? defaultFolder : out
  await interruptible(async (interruption) => {
    const options = { ...interruption, scenario, command, flags: typed, out: folder }
    const { report: found, recording } = await fuzzWithProgress(options, flags)
    const report = { ...fuzzReport(found), recording }
    await writeReport(report, { format: flags.reporter ?? 'human', place })
    failUnlessPassed(report)
  })
}

async function fuzzWithProgress(
  options: Pick<FuzzOptions, 'scenario' | 'command' | 'flags' | 'out' | 'signal' | 'kill'>,
  { runs, time, vary, shrinkRuns, clock, jobs, seed = 1, env: variables, ...flags }: FuzzFlags,
): Promise<Fuzzed> {
  const { fuzz: search } = await import('../fuzz/fuzz.js')
  const progress = new Progress()
  try {
    return await search({
      ...{ ...options, ...worldOptionsOf(flags) },
      ...{ runs, time, vary, shrinkRuns, clock, jobs, seed, variables },
      watcher: watcherOf(progress, runs),
    })
  } finally {
    progress.end()
  }
}

/** Shows how far the search is: a bar on a terminal, a line for each finding elsewhere. */
function watcherOf(progress: Progress, runs: number): SearchWatcher {
  const width = 24
  return {
    tried(run, findings) {
      const filled = Math.round((width * run) / runs)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
      progress.show(`${bar} ${run} of ${runs} plans, ${findings} found`)
    },
    shrinking: ({ why }) => progress.show(`reducing: ${why}`),
    found({ failure }) {
      if (!progress.isTerminal) progress.print(`found: ${failure.why}`)
    },
  }
}

const parseCount = numberWithin(1, 999_999, 'It is a whole number from 1 to 999999.')

function parseKinds(text: string): Vary[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !kinds.includes(name as Vary))
  if (unknown === undefined) return [...new Set(names as Vary[])]
  throw new InvalidArgumentError(`"${unknown}" is not one of ${kinds.join(', ')}.`)
}
