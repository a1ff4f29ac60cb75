import { counted, truncate } from '../../base/text.js'
import { adviceOf, gapOf } from '../../contract/extensions.js'
import { describeAssumptions } from '../../contract/gaps/gap.js'
import type { GapId } from '../../contract/gaps.js'
import { formatCommand } from '../reports/command-line.js'
import type { JunitCase, JunitProblem, JunitSuite } from '../reports/junit.js'
import { type Detail, type Finding, formatSeconds, type Report } from '../reports/report.js'
import type { Table, TableRow } from '../reports/table.js'
import { type Change, type Changes, formatChange, formatChanges, listChanges } from './changes.js'
import type { OwnGap, ReliedGap } from './relied.js'
import type { TestKind } from './survey.js'
import type { RunEnd, VariantOutcome } from './variants.js'

/** The part of a report besides the results. */
export interface ReportHead {
  /** The command and its arguments, secrets masked. */
  readonly command: readonly string[]
  readonly scenario: string
  readonly seed: number
  /** The story time at which the server of each run begins, ISO 8601 UTC. */
  readonly started_at: string
  /** Assumptions that were chosen for all runs, by gap. */
  readonly assumptions: Changes
  readonly gaps: 'relied' | 'all' | readonly GapId[]
  /** Whether the exploration was interrupted before everything was tested. */
  readonly interrupted: boolean
  /** How often the command was run. */
  readonly runs: number
  /** Milliseconds of wall time: only these figures differ between two equal explorations. */
  readonly wall_ms: number
}

/** The effects of changed assumptions on a command. */
export interface ExploreReport extends ReportHead {
  readonly format: 'agent-mailbox-sim/explore-report'
  readonly version: 1
  /** Whether the command passes without changes, nothing that was tested breaks it, and everything was tested. */
  readonly passed: boolean
  /** The run without changes. */
  readonly first: RunEnd
  /** A second run without changes, made alongside the others; null if the command could not be started. */
  readonly control: RunEnd | null
  /** Whether nothing except the changes was seen to affect how the command ends. */
  readonly steady: boolean
  /** The number of requests to the server of the first run. */
  readonly requests: number
  /** The gaps that responses depend on without changes. */
  readonly relied: readonly ReliedGap[]
  /** The gaps of extensions that responses of any run depend on, by id. */
  readonly own_gaps: Readonly<Record<string, OwnGap>>
  readonly tries: readonly ReportedTest[]
  /** The changes that break the command, the smallest first. */
  readonly breaks: readonly ReportedBreak[]
  /**
   * Assumptions, one at a time, under which a command passes that fails without changes; empty if it passes
   * without them.
   */
  readonly passes_under: readonly Changes[]
}

/** A variant that was tested. */
export interface ReportedTest extends Omit<RunEnd, 'passed' | 'ended'> {
  readonly changes: Changes
  readonly kind: TestKind
  readonly outcome: VariantOutcome
  /** Whether any response to the command depended on the changed gaps. */
  readonly came_up: boolean
  /** How often the command was run under these changes, and how often it failed. */
  readonly runs: number
  readonly failures: number
}

/** Changes that break the command, none of which can be omitted. */
export interface ReportedBreak {
  readonly changes: Changes
  readonly why: string
  /** For each gap, how a client can be correct under every assumption. */
  readonly advice: Readonly<Partial<Record<GapId, string>>>
  /** The command line that applies these changes from the start, beginning with the name of the program. */
  readonly again: string
}

/** The gaps of extensions, as far as they are known. */
type OwnGaps = ReadonlyMap<string, OwnGap>

/** Prepares the report of an exploration for the reporters. */
export function exploreReport(report: ExploreReport): Report {
  const { first, passed, tries, runs, wall_ms, breaks } = report
  const own = ownGapsOf(report)
  const paragraphs = [describeFirst(report), describeUnsteady(report), describeFixed(report)]
  const [smallest] = breaks
  return {
    document: report,
    passed,
    headline: headlineOf(report),
    paragraphs: paragraphs.filter((text) => text !== undefined),
    table: tries.length === 0 ? undefined : tableOf(tries),
    findings: groupBreaks(breaks).map((group) => findingOf(group, own)),
    output: first.output === '' ? undefined : { title: 'Its last lines', text: first.output },
    conclusion: smallest && `The smallest change that breaks it: ${nameChanges(smallest)}.`,
    notes: [...first.notes, ...(breaks.length > 0 ? [howToPin] : [])],
    facts: [`${counted(runs, 'run')} against ${nameStory(report)}, in ${formatSeconds(wall_ms)}`],
    suites: [suiteOf(report)],
  }
}

/** Names the story of the runs; simulators in the processes of the command have their own. */
function nameStory({ scenario, seed, requests, relied }: ExploreReport): string {
  const isOwn = requests === 0 && relied.length > 0
  return isOwn ? 'simulators in its own processes' : `${scenario}, seed ${seed}`
}

function ownGapsOf({ own_gaps }: ExploreReport): OwnGaps {
  return new Map(Object.entries(own_gaps))
}

/** The maximum number of characters that a headline says of a failure. */
const whyLength = 200

/** Returns the outcome in a line: `npm test breaks under 2 of 14 other assumptions; the first: threads.total=page-size: KeyError`. */
function headlineOf(report: ExploreReport): string {
  const { command, first, control, tries, interrupted, passes_under } = report
  const words = formatCommand(command)
  if (first.ended === 'not-started')
    return `${words} could not be started${first.problem ? `: ${first.problem.replace(/\.$/, '')}` : ''}`
  if (!first.passed && control?.passed)
    return `${words} is flaky: without any change, it failed and then passed`
  if (!first.passed) {
    const under = passes_under.map(formatChanges).join(' and under ')
    const remedy = under === '' ? '' : `, and passes under ${under}`
    const why = first.why === null ? '' : `: ${first.why}`
    return `${words} already fails without any change${remedy}${why}`
  }
  const suffix = interrupted ? ', as far as was tested before the interruption' : ''
  const tested = tries.filter(({ outcome }) => outcome !== 'overruled')
  const failed = tested.filter(({ outcome }) => outcome === 'failed').length
  const others = counted(tested.length, 'other assumption')
  if (failed > 0) return `${words} breaks under ${failed} of ${others}${suffix}${describeSmallest(report)}`
  if (tested.length > 0)
    return `${words} passes under ${tested.length === 1 ? 'the other assumption' : `all ${others}`}${suffix}`
  if (interrupted) return `${words} was interrupted before another assumption was tested`
  return `${words} passes, and there was no other assumption to test`
}

/** Names the smallest change that breaks the command, and how it fails there. */
function describeSmallest({ breaks }: ExploreReport): string {
  const [smallest, ...others] = breaks
  if (!smallest) return ''
  const why = truncate(smallest.why.replace(/\.$/, ''), whyLength)
  return `${others.length === 0 ? ': ' : '; the first: '}${nameChanges(smallest)}: ${why}`
}

function describeFirst(report: ExploreReport): string {
  const { first, control, relied, tries, passes_under } = report
  if (!first.passed) {
    // The reason for a failed start is already a sentence.
    const problem = first.problem?.endsWith('.') ? first.problem : `it ${first.problem}.`
    const fails = `Without any change it already fails: ${problem}`
    if (control?.passed) return fails
    const [remedy] = passes_under
    const count = counted(tries.length, 'other assumption')
    if (tries.length === 0) return `${fails} There was no other assumption to test.`
    if (!remedy) return `${fails} It fails under each of ${count} as well.`
    const own = ownGapsOf(report)
    const advice = listChanges(remedy).map(({ gap }) => adviceOf(gap, own))
    return `${fails} It passes under ${passes_under.length} of ${count}, as if written for such a service. ${advice.join(' ')}`
  }
  const judged = first.ended === 'story-over' ? ' It keeps running, so what the story expects judges it.' : ''
  const passes = `Without any change it passes, in ${formatSeconds(first.wall_ms)}.${judged}`
  if (relied.length === 0) {
    return `${passes} Its responses depended on no gap: they would have been the same under any assumptions.`
  }
  const same = relied.reduce((count, gap) => count + gap.same.length, 0)
  const skipped =
    same === 0 ? '' : `; ${counted(same, 'other assumption')} of them would not have changed any response`
  return `${passes} Its responses depended on ${counted(relied.length, 'gap')}${skipped}.`
}

/** Explains why the command counts as unsteady; undefined if it is steady. */
function describeUnsteady({ first, control, steady, tries }: ExploreReport): string | undefined {
  if (steady) return undefined
  if (!first.passed && control?.passed)
    return 'It passed when run once more without any change, so it is flaky: the cause of a failure cannot be determined.'
  if (first.passed && control?.passed === false) {
    return (
      `It is flaky without any change: run once more, alongside other runs, it failed (${control.why}). ` +
      'Therefore, a failure counts only if it occurred four times out of four, and not always in the same way as that one. ' +
      'If two runs of the command cannot run at the same time, use --jobs 1.'
    )
  }
  const unsure = tries.filter(({ outcome }) => outcome === 'unsure').length
  const count = unsure === 1 ? 'does not count' : 'do not count'
  return `It may be flaky: ${counted(unsure, 'failure')} did not recur, and ${count}.`
}

/** Names the gaps that were not tested because their assumptions are chosen; undefined if there are none. */
function describeFixed({ relied, gaps }: ExploreReport): string | undefined {
  const fixed = relied.filter((gap) => gap.fixed).map(({ gap }) => gap)
  const pinned = relied.filter((gap) => gap.pinned && !gap.fixed && gaps === 'relied').map(({ gap }) => gap)
  const sentences = [
    ...(fixed.length === 0
      ? []
      : [
          `The command itself chooses the assumptions of ${fixed.join(', ')}, so no other could be tested. A simulator ` +
            'created without `assumptions` (by createSimulator, listen or mailboxTest) uses the assumptions that explore tries.',
        ]),
    ...(pinned.length === 0
      ? []
      : [
          `The scenario names the assumptions of ${pinned.join(', ')}, so no other was tested; ` +
            `--gaps ${pinned.join(',')} tests them.`,
        ]),
  ]
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** How an assumption is pinned that is known to be right. */
const howToPin =
  'if you know what your service does at a gap, name its assumption under `assumptions:` in the scenario, or in the `assumptions` ' +
  'of createSimulator, listen or mailboxTest; explore then offers no other one'

function tableOf(tries: readonly ReportedTest[]): Table {
  const rows = tries.map((test): TableRow => {
    const tone = test.outcome === 'overruled' ? 'none' : test.outcome
    return {
      name: nameChanges(test),
      lines: listChanges(test.changes).map(({ gap, assumption }, index) => [
        index === 0 ? gap : `+ ${gap}`,
        assumption,
      ]),
      cells: [{ text: nameOutcome(test), tone }, { text: explainOutcome(test) }],
    }
  })
  return { title: 'What was tried', subject: ['gap', 'assumption'], columns: ['result', ''], rows }
}

function nameOutcome({ outcome }: ReportedTest): string {
  return { passed: 'passed', failed: 'FAILED', unsure: 'unsure', overruled: 'no effect' }[outcome]
}

function explainOutcome({ outcome, came_up, runs, failures, why }: ReportedTest): string {
  if (outcome === 'failed') return why ?? ''
  if (outcome === 'unsure') return `failed ${failures} of ${runs} times: ${why}`
  if (outcome === 'overruled') return 'the command chooses it itself'
  return came_up ? '' : 'never came up'
}

/** Formats changes as `threads.total=page-size`, several with `and` between them. */
function nameChanges({ changes }: Pick<ReportedTest, 'changes'>): string {
  return listChanges(changes).map(formatChange).join(' and ')
}

/** Groups breaks that have the same advice: those of single assumptions of one gap. */
function groupBreaks(breaks: readonly ReportedBreak[]): ReportedBreak[][] {
  const groups: ReportedBreak[][] = []
  for (const found of breaks) {
    const gap = onlyGap(found)
    const group = gap && groups.find(([first]) => first && onlyGap(first) === gap)
    if (group) group.push(found)
    else groups.push([found])
  }
  return groups
}

function findingOf(group: readonly ReportedBreak[], own: OwnGaps): Finding {
  const [first] = group as [ReportedBreak]
  const changes = group.flatMap((found) => listChanges(found.changes))
  const gap = onlyGap(first)
  const assumptions = changes.map(({ assumption }) => assumption).join(', ')
  const means = changes.map((change) => {
    return `${gap ? change.assumption : formatChange(change)}: ${meaningOf(change, own)}`
  })
  return {
    kind: 'assumption',
    title: gap ? `${gap}: ${assumptions}` : nameChanges(first),
    passed: false,
    why: first.why,
    details: [
      ...(gap ? [] : [['says', first.why] as const]),
      ...labelled('means', means),
      ...labelled('advice', Object.values(first.advice)),
      ['see it', `npx ${first.again}`],
    ],
    gaps: [...new Set(changes.map((change) => change.gap))],
  }
}

function labelled(label: string, lines: readonly string[]): Detail[] {
  return lines.map((line, index) => [index === 0 ? label : '', line])
}

/** Returns the gap of a break of a single assumption. */
function onlyGap({ changes }: ReportedBreak): GapId | undefined {
  const [one, other] = listChanges(changes)
  return other ? undefined : one?.gap
}

/** Returns what the service does under an assumption. */
function meaningOf({ gap, assumption }: Change, own: OwnGaps): string {
  const described = gapOf(gap, own)
  return (described && describeAssumptions(described).find(({ name }) => name === assumption)?.means) ?? ''
}

/** Returns a test case for the run without changes, and one for everything that was tested. */
function suiteOf(report: ExploreReport): JunitSuite {
  const { command, scenario, seed, assumptions, tries, wall_ms } = report
  const remarks = tries
    .filter(({ outcome }) => outcome === 'unsure' || outcome === 'overruled')
    .map((test) => `${nameChanges(test)}: ${nameOutcome(test)}: ${explainOutcome(test)}`)
  return {
    name: formatCommand(command),
    package: 'agent-mailbox-sim.explore',
    seconds: wall_ms / 1000,
    properties: { scenario, seed: String(seed), assumptions: formatChanges(assumptions) },
    cases: [caseOfFirst(report), ...tries.map((test) => caseOf(test, report))],
    output: [describeUnsteady(report) ?? '', ...remarks].filter(Boolean).join('\n'),
  }
}

function caseOfFirst({ scenario, first }: ExploreReport): JunitCase {
  const { passed, ended, problem, why, output, wall_ms } = first
  const is = ended === 'not-started' ? ('error' as const) : ('failure' as const)
  return {
    name: 'no change',
    className: `${scenario}.explore`,
    seconds: wall_ms / 1000,
    problem: passed ? null : { is, type: 'command', message: why ?? '', text: [problem, output].join('\n') },
  }
}

function caseOf(test: ReportedTest, report: ExploreReport): JunitCase {
  return {
    name: nameChanges(test),
    className: `${report.scenario}.explore.${test.kind}`,
    seconds: test.wall_ms / 1000,
    problem: test.outcome === 'failed' ? problemOf(test, ownGapsOf(report)) : null,
  }
}

function problemOf({ changes, why, problem, output }: ReportedTest, own: OwnGaps): JunitProblem {
  const changed = listChanges(changes).flatMap((change) => [
    `${formatChange(change)} means: ${meaningOf(change, own)}`,
    `Advice: ${adviceOf(change.gap, own)}`,
  ])
  const text = [...changed, `The command ${problem}. Its last lines:`, output].join('\n')
  return { is: 'failure', type: 'assumption', message: why ?? '', text }
}
