import { type Changes, type ExploreReport, explore } from '../explore/index.js'
import { formatMarkdown } from '../explore/reporters/index.js'
import { formatCommandWords } from './command-words.js'
import type { ExploreFlags } from './explore.js'
import { createProgressInLines, createProgressOnTerminal } from './explore-progress.js'
import { placeOf, writeReport } from './explore-results.js'
import { FailedRun } from './failure.js'
import { listenForInterruption } from './interruption.js'
import { isSeen, withProgress } from './progress-line.js'
import { layersOfFlags } from './readings-flags.js'
import { appendStepSummary } from './step-summary.js'

/** Explores a command as the flags have it, and says what breaks it. @throws FailedRun where something does */
export async function runExplore(
  scenario: string | undefined,
  words: readonly string[],
  flags: ExploreFlags,
): Promise<void> {
  const place = flags.out === undefined ? undefined : await placeOf(flags.out, flags.reporter)
  const report = await explored(scenario, words, flags)
  const again = (changes: Changes): string => formatCommandWords(wordsWith(changes, scenario, words, flags))
  await writeReport(report, { reporter: flags.reporter ?? 'human', place, again })
  await appendStepSummary(formatMarkdown(report))
  if (!report.passed) throw new FailedRun()
}

/** Explores it, with progress on the error stream. */
async function explored(
  scenario: string | undefined,
  command: readonly string[],
  { gaps, pairs, jobs, timeLimit, seed, clock, allowDeliveryTo, ...flags }: ExploreFlags,
): Promise<ExploreReport> {
  const { stderr } = process
  const watcher = isSeen(stderr, process.env)
    ? createProgressOnTerminal(stderr)
    : createProgressInLines(stderr)
  const interruption = listenForInterruption()
  try {
    const { signal } = interruption
    const how = { gaps, pairs, jobs, timeLimit, seed, clock, allowDeliveriesTo: allowDeliveryTo }
    return await withProgress(scenario ?? 'support-desk', undefined, (onProgress) => {
      return explore({
        ...how,
        scenario,
        command,
        readings: layersOfFlags(flags),
        signal,
        onProgress,
        watcher,
      })
    })
  } finally {
    interruption.end()
    watcher.end()
  }
}

/** The words that explore the same command with changes made from the start, and so show how it fails. */
function wordsWith(
  changes: Changes,
  scenario: string | undefined,
  words: readonly string[],
  { seed, clock, allowDeliveryTo = [], readings, reading = [] }: ExploreFlags,
): string[] {
  const chosen = [...reading, changes].flatMap((choices) => Object.entries(choices))
  return [
    ...['agent-mailbox-sim', 'explore'],
    ...(scenario === undefined ? [] : [scenario]),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...(clock === '10x' ? [] : ['--clock', clock]),
    ...allowDeliveryTo.flatMap((host) => ['--allow-delivery-to', host]),
    ...(readings === undefined ? [] : ['--readings', readings]),
    ...chosen.flatMap(([gap, name]) => ['--reading', `${gap}=${name}`]),
    ...['--', ...words],
  ]
}
