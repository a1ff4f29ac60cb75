import { type ReplayReport, wasPlayed } from '../report.js'
import { type Finding, findingsOf } from './findings.js'
import { formatJunitXml, type JunitCase } from './junit-xml.js'

/** A report as JUnit XML, with a test case for each expectation, the command, the timeline and the tape. */
export function formatJunit(report: ReplayReport): string {
  const { scenario, seed, clock, started_at, ended_at, readings } = report
  const findings = findingsOf(report)
  const isTold = !wasPlayed(report) || findings.some(({ kind }) => kind === 'timeline')
  const all = isTold ? findings : [...findings, timelineIsFine]
  return formatJunitXml([
    {
      name: scenario,
      package: 'agent-mailbox-sim.replay',
      timestamp: started_at,
      seconds: report.wall_ms / 1000,
      properties: {
        seed: String(seed),
        clock,
        'story.started_at': started_at,
        'story.ended_at': ended_at,
        requests: String(report.requests),
        deliveries: String(report.deliveries),
        ...Object.fromEntries(Object.entries(readings).map(([gap, reading]) => [`reading.${gap}`, reading])),
      },
      cases: withOwnNames(all.map((finding) => caseOf(finding, report))),
      output: report.command?.output ?? '',
    },
  ])
}

const timelineIsFine: Finding = {
  kind: 'timeline',
  title: 'The story happened as written.',
  passed: true,
  why: '',
  details: [],
}

function caseOf({ kind, title, passed, why, details }: Finding, report: ReplayReport): JunitCase {
  const lines = [title, ...details.map(([name, line]) => `${name.padEnd(8)}  ${line}`)]
  return {
    // A test that has another name when it fails would be another test.
    name: namesOfCases[kind] ?? title,
    className: `${report.scenario}.${kind}`,
    seconds: kind === 'command' ? report.wall_ms / 1000 : 0,
    problem: passed
      ? null
      : {
          is: kind === 'command' && !wasPlayed(report) ? 'error' : 'failure',
          type: kind,
          message: why === '' ? title : why,
          text: lines.join('\n'),
        },
  }
}

/** Test cases of which no two have the same name: they would be taken for one. */
function withOwnNames(cases: readonly JunitCase[]): JunitCase[] {
  const counts = new Map<string, number>()
  return cases.map((one) => {
    const id = `${one.className} ${one.name}`
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` }
  })
}

const namesOfCases: Readonly<Record<string, string>> = {
  command: 'The command ends well.',
  timeline: 'The story happened as written.',
  tape: 'The requests are those of the tape.',
}
