import { extname, join } from 'node:path'
import type { Command } from 'commander'
import { type Fuzzed, type FuzzOptions, fuzz } from '../../runs/fuzz/fuzz.js'
import { fuzzReport } from '../../runs/fuzz/report.js'
import type { SearchWatcher } from '../../runs/fuzz/search.js'
import type { TypedFlag } from '../../runs/reports/command-line.js'
import { isFolder, prepareFile } from '../../runs/reports/write-file.js'
import { parseClientCommand } from '../arguments.js'
import { interruptible } from '../failure.js'
import type { FlagsOf } from '../flag-command.js'
import { findingsFolder, optionsOf } from '../flags.js'
import type { addFuzz } from '../fuzz.js'
import { explained, failUnlessPassed, reportPlace, writeReport } from '../report-output.js'
import { Progress } from '../terminal.js'

type FuzzFlags = FlagsOf<typeof addFuzz>

/** Searches for small stories that break a command, and reports them. */
export async function runFuzz(flags: FuzzFlags, line: Command, typed: readonly TypedFlag[]): Promise<void> {
  const { scenario, command } = parseClientCommand(line, typed, ['python3', 'agent.py'])
  const { out = findingsFolder } = flags
  const isFile = extname(out) !== '' && !out.endsWith('/') && !(await isFolder(out))
  if (flags.out !== undefined && !isFile) await explained(out, () => prepareFile(join(out, 'finding.yaml')))
  const place = isFile ? await reportPlace(out, flags.reporter, 'what is found') : undefined
  const folder = isFile ? findingsFolder : out
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
  flags: FuzzFlags,
): Promise<Fuzzed> {
  const progress = new Progress()
  try {
    const watcher = watcherOf(progress, flags.runs)
    return await fuzz({ seed: 1, ...optionsOf(flags), ...options, watcher })
  } finally {
    progress.end()
  }
}

/** Shows the progress of the search: a bar on a terminal, a line for each finding elsewhere. */
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
