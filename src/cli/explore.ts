import { type Command, InvalidArgumentError } from 'commander'
import type { GapId } from '../contract/gaps.js'
import { invocation } from '../contract/package.js'
import { counted } from '../contract/text.js'
import { type Changes, formatChanges } from '../explore/changes.js'
import type { Explored } from '../explore/explore.js'
import type { ExploreOptions, RunWatcher } from '../explore/runner.js'
import type { WantedGaps } from '../explore/survey.js'
import type { RunResult } from '../explore/variants.js'
import type { TypedFlag } from '../reports/index.js'
import { parseGap } from '../world/readings.js'
import { type ClockMode, parseDuration } from '../world/time.js'
import { maxTimerDelay } from '../world/wall-time.js'
import { InputError, interruptible } from './failure.js'
import {
  addWorldFlags,
  allowDeliveryOption,
  type ClientFlags,
  numberWithin,
  parseClientCommand,
  reporterOption,
  typedFlagsOf,
  variableOption,
  type WorldFlags,
  worldOptionsOf,
} from './flags.js'
import { Progress, withLoadingLine } from './terminal.js'

interface ExploreFlags extends WorldFlags, ClientFlags {
  readonly clock: ClockMode
  readonly gaps: WantedGaps
  readonly jobs?: number
  readonly timeLimit?: number
}

/** Adds the command that runs another one under the readings it relies on. */
export function addExplore(program: Command): void {
  const command = program
    .command('explore')
    .summary('find out which open points of the interface your client depends on')
    .description(description)
    .usage('[scenario] [options] -- <command> [argument...]')
    .argument('[scenario]', 'name of a shipped scenario, or path of a file (default: support-desk)')
    .allowExcessArguments()
    .optionsGroup('What is tested:')
    .option('--gaps <relied|all|list>', 'the gaps, e.g. threads.total,threads.order', parseGaps, 'relied')
  addWorldFlags(command, '10x')
    .addOption(allowDeliveryOption())
    .optionsGroup('How it is run:')
    .addOption(variableOption())
    .option('--jobs <number>', jobs, parseJobs)
    .option('--time-limit <duration>', timeLimit, parseTimeLimit)
    .optionsGroup('Output:')
    .addOption(reporterOption())
    .option('--out <file>', 'write the report to this file; the report for people is still printed')
    .option('--verbose', 'print stack traces on the error stream')
    .addHelpText('after', `\n${examples}`)
  const typed = typedFlagsOf(command)
  command.action((_: string | undefined, flags: ExploreFlags, line: Command) => explore(flags, line, typed))
}

const jobs = 'runs at a time (default: one for each processor; one if the command receives events)'

const timeLimit =
  'time limit for each run (default: 5m, then ten times as long as the first run, at least 30s)'

const description = [
  'Runs a command against its own simulator, notes which open points of the interface (gaps) it relied on, ' +
    'and runs it again under each other reading of them that would have given it a different answer. If it fails there, ' +
    'it depends on a guess about the service.',
  'The command finds the service in MAILBOX_BASE_URL and MAILBOX_API_KEY, and the control API in MAILBOX_SIM_URL. ' +
    'Simulators inside its processes, as in unit tests, follow MAILBOX_SIM_READINGS and MAILBOX_SIM_TRACE. The ' +
    'command must exit on its own, with status 0 if all is well: use a test, not an agent that keeps running.',
].join('\n\n')

const examples = `Examples:
  ${invocation} explore -- npm test
  ${invocation} explore refund-request -- python3 check_my_agent.py
  ${invocation} explore --gaps threads.total,threads.order -- npx vitest run
  ${invocation} explore --out explore.xml -- npm test    JUnit for CI, a table for you
  ${invocation} explore --reading threads.total=page-size -- npm test    shows how it fails there

Exit status: 0 if nothing breaks the command, 1 if something does or it fails without any change, 2 for wrong
usage or a command that sends no request.`

async function explore(flags: ExploreFlags, line: Command, typed: readonly TypedFlag[]): Promise<void> {
  const { scenario, command } = await parseClientCommand(line, typed, ['npm', 'test'])
  // Loaded here, so that help and wrong flags are answered without it.
  const { toReport } = await import('../explore/report.js')
  const { failUnlessPassed, reportPlace, writeReport } = await import('./report-output.js')
  const place = flags.out === undefined ? undefined : await reportPlace(flags.out, flags.reporter)
  if (place?.is === 'folder') {
    throw new InputError(
      `--out ${flags.out} is a folder; name a file in it, such as explore.json or explore.xml.`,
    )
  }
  const recorded = place?.format === 'html' || flags.reporter === 'html'
  await interruptible(async (interruption) => {
    const options = { ...interruption, scenario, command, flags: typed, recorded }
    const { report: explored, recording } = await exploreWithProgress(options, flags)
    const report = { ...toReport(explored), recording: recording && (() => recording) }
    await writeReport(report, { format: flags.reporter ?? 'human', place })
    failUnlessPassed(report)
  })
}

async function exploreWithProgress(
  options: ExploreOptions,
  { gaps, jobs, timeLimit, clock, env: variables, ...flags }: ExploreFlags,
): Promise<Explored> {
  const { explore } = await import('../explore/explore.js')
  const progress = new Progress()
  const chosen = { ...options, ...worldOptionsOf(flags), gaps, jobs, timeLimit, clock, variables }
  try {
    return await withLoadingLine(options.scenario ?? 'support-desk', undefined, (onProgress) => {
      return explore({ ...chosen, onProgress, watcher: watcherOf(progress) })
    })
  } finally {
    progress.end()
  }
}

/** Shows the progress and the current runs on a terminal; elsewhere, each run once it has ended. */
function watcherOf(progress: Progress): Required<RunWatcher> {
  const running: string[] = []
  let planned = 0
  let ended = 0
  const show = (): void => {
    const of = Math.max(planned, ended + running.length)
    const names = running.length === 0 ? '' : `: ${running.join(', ')}`
    progress.show(`${ended} of ${counted(of, 'run')}${names}`)
  }
  return {
    planned(variants) {
      planned += variants.length
    },
    started(changes) {
      running.push(nameOf(changes))
      show()
    },
    ended(result) {
      ended++
      running.splice(running.indexOf(nameOf(result.changes)), 1)
      if (progress.isTerminal) show()
      else progress.print(formatRun(result))
    },
  }
}

function formatRun({ changes, passed, why, wall_ms }: RunResult): string {
  const time = `${(wall_ms / 1000).toFixed(1)} s`
  return `${nameOf(changes)}: ${passed ? `passed, ${time}` : `failed, ${time}: ${why}`}`
}

function nameOf(changes: Changes): string {
  return formatChanges(changes) || 'no change'
}

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

const parseJobs = numberWithin(1, 999, 'The number of runs at a time is from 1 to 999.')

const parseTimeLimit = numberWithin(
  1,
  maxTimerDelay,
  'A time limit is a duration such as 30s, 5m or 1h, at most 24 days.',
  parseDuration,
)
