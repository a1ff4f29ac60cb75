import { counted } from '../../contract/counted.js'
import { formatCommand } from '../../replay/reporters/findings.js'
import { formatChange, formatChanges, listChanges } from '../changes.js'
import type { ExploreReport, ReportedBreak, ReportedTry } from '../report.js'

/** `1.2 s`. */
export function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** `threads.total=page-size`; several with `and` between them. */
export function nameChanges({ changes }: Pick<ReportedTry | ReportedBreak, 'changes'>): string {
  return listChanges(changes).map(formatChange).join(' and ')
}

/** What became of a try, in a word or two. */
export function nameOutcome({ outcome }: ReportedTry): string {
  return { passed: 'passed', failed: 'FAILED', unsure: 'unsure', overruled: 'no effect' }[outcome]
}

/** What there is to say of a try besides, in a line; nothing where it simply passed. */
export function explainOutcome({ outcome, came_up, runs, failures, why }: ReportedTry): string {
  if (outcome === 'failed') return why ?? ''
  if (outcome === 'unsure') return `failed ${failures} of ${runs} times: ${why}`
  if (outcome === 'overruled') return 'the command chooses it itself'
  return came_up ? '' : 'never came up'
}

/** How the run without any change went, and what it relied on. */
export function describeFirst({ first, relied, requests }: ExploreReport): string {
  if (!first.passed)
    return `Without any change it fails already, so nothing was explored: ${describeProblem(first)}`
  const passes = `Without any change it passes, in ${formatSeconds(first.wall_ms)}.`
  if (relied.length === 0) return `${passes} ${requests > 0 ? reliesOnNothing : asksNothing}`
  const same = relied.reduce((count, gap) => count + gap.same.length, 0)
  const needless =
    same === 0 ? '' : `; ${counted(same, 'other reading')} of them would have changed no answer`
  return `${passes} It relied on ${counted(relied.length, 'gap')}${needless}.`
}

const reliesOnNothing = 'It relied on no gap: whatever the readings, every answer would have been the same.'

const asksNothing =
  'No request came to MAILBOX_BASE_URL, and no simulator in its processes noted a reliance: is it told to use ' +
  'MAILBOX_BASE_URL and MAILBOX_API_KEY?'

function describeProblem({ problem }: ExploreReport['first']): string {
  // What could not be started is told in a sentence of its own.
  return problem?.endsWith('.') ? problem : `it ${problem}.`
}

/** What it means for the results where the command is not steady by itself; undefined where it is. */
export function describeUnsteady({ first, control, steady, tries }: ExploreReport): string | undefined {
  if (steady) return undefined
  if (!first.passed)
    return 'Run once more it passed, so it is flaky by itself: what it fails of cannot be told from that.'
  if (control?.passed === false) {
    return (
      `It is flaky by itself: run once more without any change, beside others, it failed (${control.why}). ` +
      'So a failure counts only where it came four times of four, and not each time like that one. ' +
      'If the command cannot run beside itself, --jobs 1 has one run at a time.'
    )
  }
  const unsure = tries.filter(({ outcome }) => outcome === 'unsure').length
  return `It may be flaky: ${counted(unsure, 'failure')} did not come again, and ${unsure === 1 ? 'does' : 'do'} not count.`
}

/** What came of the sets in which several changes were made; undefined where there were none. */
export function describePairs({ tries, pairs }: ExploreReport): string | undefined {
  if (!pairs) return undefined
  const sets = tries.filter(({ kind }) => kind === 'pairs')
  if (sets.length === 0) return 'There were no two changes to be made together.'
  const failed = sets.filter(({ outcome }) => outcome === 'failed').length
  const result = failed === 0 ? 'none of them broke it' : `${failed} of them broke it`
  const what = 'in which any two of the changes that break nothing by themselves come together'
  return `Then it was run under ${counted(sets.length, 'set')} of changes, ${what}: ${result}.`
}

/** What became of the command, in a line: `npm test breaks under 2 of 14 other readings`. */
export function headlineOf({ command, first, breaks, tries }: ExploreReport): string {
  const words = formatCommand(command)
  if (first.ended === 'not-started') return `${words} could not be started`
  if (!first.passed) return `${words} fails already, without another reading`
  const singles = tries.filter(({ kind, outcome }) => {
    return outcome !== 'overruled' && (kind === 'reading' || kind === 'further')
  })
  const failed = singles.filter(({ outcome }) => outcome === 'failed').length
  if (failed > 0) return `${words} breaks under ${failed} of ${counted(singles.length, 'other reading')}`
  if (breaks.length > 0) return `${words} breaks under other readings together`
  if (singles.length === 0) return `${words} passes, and there was no other reading to try`
  return `${words} breaks under none of ${counted(singles.length, 'other reading')}`
}

/** What could not be tried since the command chooses it itself; undefined where there is nothing like that. */
export function describeFixed({ relied }: ExploreReport): string | undefined {
  const fixed = relied.filter((gap) => gap.fixed).map(({ gap }) => gap)
  if (fixed.length === 0) return undefined
  return (
    `No other reading could be tried of what the command chooses itself: ${fixed.join(', ')}. A simulator that is made ` +
    'without `readings` (by createSimulator, listen or mailboxTest) takes those that are explored.'
  )
}

/** The last sentence: the smallest change that breaks the command; undefined where none does. */
export function describeSmallest({ breaks: [smallest] }: ExploreReport): string | undefined {
  return smallest && `The smallest change that breaks it: ${nameChanges(smallest)}.`
}

/** The tries that make a row: every reading by itself, and of those together what breaks the command, or may. */
export function rowsOf({ tries, breaks }: ExploreReport): ReportedTry[] {
  const least = new Set(breaks.map(({ changes }) => formatChanges(changes)))
  return tries.filter(({ kind, outcome, changes }) => {
    return (
      kind === 'reading' || kind === 'further' || outcome === 'unsure' || least.has(formatChanges(changes))
    )
  })
}
