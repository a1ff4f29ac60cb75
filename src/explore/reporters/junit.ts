import { gaps } from '../../contract/gaps.js'
import { formatCommand } from '../../replay/reporters/findings.js'
import { formatJunitXml, type JunitCase, type JunitProblem } from '../../replay/reporters/index.js'
import { formatChange, formatChanges, listChanges } from '../changes.js'
import type { ExploreReport, ReportedTry } from '../report.js'
import { meaningOf } from './break-groups.js'
import { describeUnsteady, explainOutcome, nameChanges, nameOutcome } from './words.js'

/** A report as JUnit XML: a test case for the run without any change, and one for everything that was tried. */
export function formatJunit(report: ExploreReport): string {
  const { command, scenario, seed, readings, started_at, tries, wall_ms } = report
  return formatJunitXml([
    {
      name: formatCommand(command),
      package: 'agent-mailbox-sim.explore',
      timestamp: started_at,
      seconds: wall_ms / 1000,
      properties: { scenario, seed: String(seed), readings: formatChanges(readings) },
      cases: [caseOfFirst(report), ...tries.map((one) => caseOfTry(one, report))],
      output: [describeUnsteady(report) ?? '', ...tries.flatMap(remarkOn)].filter(Boolean).join('\n'),
    },
  ])
}

function caseOfFirst({ scenario, first }: ExploreReport): JunitCase {
  const { passed, ended, problem, why, output, wall_ms } = first
  return {
    name: 'no change',
    className: `${scenario}.explore`,
    seconds: wall_ms / 1000,
    problem: passed
      ? null
      : {
          is: ended === 'not-started' ? 'error' : 'failure',
          type: 'command',
          message: why ?? '',
          text: [problem, output].join('\n'),
        },
  }
}

function caseOfTry(one: ReportedTry, { scenario }: ExploreReport): JunitCase {
  return {
    name: nameChanges(one),
    className: `${scenario}.explore.${one.kind}`,
    seconds: one.wall_ms / 1000,
    problem: one.outcome === 'failed' ? problemOf(one) : null,
  }
}

function problemOf({ changes, why, problem, output }: ReportedTry): JunitProblem {
  const changed = listChanges(changes).flatMap((change) => [
    `${formatChange(change)} means: ${meaningOf(change)}`,
    `Advice: ${gaps[change.gap].advice}`,
  ])
  const text = [...changed, `The command ${problem}. Its last lines:`, output].join('\n')
  return { is: 'failure', type: 'reading', message: why ?? '', text }
}

/** What is to be said of a try that neither broke the command nor cleared it. */
function remarkOn(one: ReportedTry): string[] {
  if (one.outcome !== 'unsure' && one.outcome !== 'overruled') return []
  return [`${nameChanges(one)}: ${nameOutcome(one)}: ${explainOutcome(one)}`]
}
