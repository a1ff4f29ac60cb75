import type { Command } from 'commander'
import { type Changes, formatChanges } from '../../runs/explore/changes.js'
import { type Explored, type ExploreOptions, explore } from '../../runs/explore/explore.js'
import { exploreReport } from '../../runs/explore/report.js'
import type { RunResult } from '../../runs/explore/variants.js'
import type { PlansWatcher } from '../../runs/plans.js'
import type { TypedFlag } from '../../runs/reports/command-line.js'
import { parseClientCommand } from '../arguments.js'
import type { addExplore } from '../explore.js'
import { InputError, interruptible } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import { optionsOf } from '../flags.js'
import { plansProgress } from '../plans-progress.js'
import { failUnlessPassed, reportPlace, writeReport } from '../report-output.js'
import { Progress, withLoadingLine } from '../terminal.js'

type ExploreFlags = FlagsOf<typeof addExplore>

/** Runs a command under other assumptions, and reports what breaks it. */
export async function runExplore(
  flags: ExploreFlags,
  line: Command,
  typed: readonly TypedFlag[],
): Promise<void> {
  const { scenario, command } = parseClientCommand(line, typed, ['npm', 'test'])
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
    const report = { ...exploreReport(explored), recording: recording && (() => recording) }
    await writeReport(report, { format: flags.reporter ?? 'human', place })
    failUnlessPassed(report)
  })
}

async function exploreWithProgress(options: ExploreOptions, flags: ExploreFlags): Promise<Explored> {
  const progress = new Progress()
  const chosen = { ...optionsOf(flags), ...options }
  try {
    return await withLoadingLine(options.scenario ?? 'support-desk', undefined, (onProgress) => {
      return explore({ ...chosen, onProgress, watcher: watcherOf(progress) })
    })
  } finally {
    progress.end()
  }
}

/** Shows the progress and the current runs on a terminal; elsewhere, each run once it has ended. */
function watcherOf(progress: Progress): PlansWatcher<Changes, RunResult> {
  return plansProgress(progress, { noun: 'run', nameOf, formatEnd: formatRun, listsEnds: false })
}

function formatRun({ changes, passed, why, wall_ms }: RunResult): string {
  const time = `${(wall_ms / 1000).toFixed(1)} s`
  return `${nameOf(changes)}: ${passed ? `passed, ${time}` : `failed, ${time}: ${why}`}`
}

function nameOf(changes: Changes): string {
  return formatChanges(changes) || 'no change'
}
