import type { Command } from 'commander'
import { formatCount, formatSummary } from './counts.js'
import { formatFailure, isBadInput, problemsOf, ReportedError } from './failure.js'
import { parseSeed } from './flag-values.js'
import { withProgress } from './progress-line.js'
import type { CheckedScenario } from './scenario-contents.js'

interface CheckFlags {
  readonly seed?: number
  readonly json?: true
}

/** Adds the command that checks scenarios. */
export function addScenariosCheck(scenarios: Command): void {
  scenarios
    .command('check')
    .summary('load scenarios as a whole, and tell what is in them or all that is wrong')
    .description(
      'Loads each scenario as a whole: its mail, its files, its timeline. Tells what is in it, with a digest ' +
        'that is the same wherever the same is loaded, or everything that is wrong with it. The status is 2 ' +
        'if anything is.',
    )
    .argument('<file...>', 'files, or names of shipped scenarios')
    .option('--seed <number>', "stands in for the scenario's seed", parseSeed)
    .option('--json', 'one JSON object a line, for each scenario one')
    .action(check)
}

async function check(files: readonly string[], flags: CheckFlags): Promise<void> {
  let refused = 0
  for (const file of files) {
    if (!(await checkOne(file, flags))) refused++
  }
  if (refused > 0) throw new ReportedError(`${refused} of ${files.length} cannot be used`)
}

/** Tells what is in a scenario, or what is wrong with it; gives whether it can be used. */
async function checkOne(file: string, { seed, json }: CheckFlags): Promise<boolean> {
  // Loaded here, so that help and wrong flags are answered without it.
  const { contentsOf } = await import('./scenario-contents.js')
  try {
    const checked = await withProgress(file, json, (onProgress) => contentsOf(file, { seed, onProgress }))
    process.stdout.write(json ? `${JSON.stringify({ file, ok: true, ...checked })}\n` : format(file, checked))
    return true
  } catch (error) {
    if (!isBadInput(error)) throw error
    process.stderr.write(formatFailure(error))
    if (json) process.stdout.write(`${JSON.stringify({ file, ok: false, problems: problemsOf(error) })}\n`)
    return false
  }
}

function format(file: string, { timeline, expect, digest, ...summary }: CheckedScenario): string {
  const entries = formatCount(timeline, 'timeline entry', 'timeline entries')
  const expectations = formatCount(expect, 'expectation')
  return `${file}: ${formatSummary(summary)}, ${entries}, ${expectations}; digest ${digest}\n`
}
