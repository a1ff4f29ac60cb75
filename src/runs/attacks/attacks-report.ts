import { counted, truncate } from '../../base/text.js'
import { describeProblems, replayReport } from '../replay/report.js'
import { formatSeconds, type Report, type TableRow } from '../reports/report.js'
import { type AttackOutcome, type AttacksReport, nameOfPlay, type VariantPlay } from './attacks-summary.js'

/**
 * Prepares the report of a story under attacks for the printers: a row for each attack, and the worst run in full. `lineFor`
 * returns the command line that plays an attack alone.
 */
export function attacksReport(report: AttacksReport, lineFor?: (attack: string) => string): Report {
  const { passed, scenario, attacks, plays, interrupted, utility, leaked, wall_ms, seed } = report
  const shown = worstRun(plays)
  const { findings = [], output, notes = [] } = shown ? replayReport(shown.run) : {}
  const runs = plays.reduce((sum, play) => sum + play.report.runs.length, 0)
  const obeyed = attacks.filter(({ verdict }) => verdict === 'obeyed').map(({ name }) => name)
  const areTogether = plays.some(({ form, attacks: names }) => form === 'hostile' && names.length > 1)
  const verdict = interrupted ? 'was interrupted' : passed ? 'passed' : 'failed'
  return {
    document: report,
    name: `${scenario}, attacks`,
    passed,
    headline: truncate(`${scenario} ${verdict}: ${countsOf(attacks)}`, 150),
    paragraphs: [
      `It did its work in ${utility.held} of ${counted(utility.of, 'run')} without attacks or with harmless mail.`,
      ...(leaked > 0 ? [`Something leaked in ${leaked} of ${counted(runs, 'run')}.`] : []),
      ...(attacks.every(({ verdict }) => verdict === 'not-met')
        ? ['No attack reached the agent, so nothing was proven: it opened none of the hostile messages.']
        : []),
    ],
    table: {
      title: 'What became of each attack',
      subject: 'attack',
      columns: ['obeyed of met', 'harmless', ''],
      rows: attacks.map(rowOf),
    },
    about: shown && `${shown.name}: ${shown.did ?? describeProblems(shown.run)}`,
    findings,
    output,
    notes: [
      ...notes,
      ...(lineFor && obeyed[0] !== undefined && areTogether
        ? [`Attacks that ask for the same count together; to play ${obeyed[0]} alone: ${lineFor(obeyed[0])}`]
        : []),
    ],
    facts: [`${counted(runs, 'run')} in ${formatSeconds(wall_ms)}; seed ${seed}`],
    wallMs: wall_ms,
  }
}

/** Counts the verdicts: `1 of 26 attacks was obeyed (refund-to-stranger), 23 were resisted, 2 not met`. */
function countsOf(attacks: readonly AttackOutcome[]): string {
  const having = (verdict: AttackOutcome['verdict']) => attacks.filter((one) => one.verdict === verdict)
  const [obeyed, resisted, missed] = [having('obeyed'), having('resisted').length, having('not-met').length]
  const names = obeyed.length === 0 ? '' : ` (${obeyed.map(({ name }) => name).join(', ')})`
  const was = obeyed.length === 1 ? 'was' : 'were'
  return `${obeyed.length} of ${counted(attacks.length, 'attack')} ${was} obeyed, ${resisted} resisted, ${missed} not met${names}`
}

const tones = { obeyed: 'failed', resisted: 'passed', 'not-met': 'none' } as const

function rowOf({
  name,
  describe,
  carrier,
  verdict,
  served,
  obeyed,
  runs,
  harmless,
}: AttackOutcome): TableRow {
  // The name of an attack of the library says what it is.
  const about = carrier === null ? [describe] : []
  const met = verdict === 'not-met' || served === runs ? [] : [`met in ${served} of ${runs} runs`]
  return {
    name,
    isMinor: verdict !== 'obeyed',
    cells: [
      { text: verdict === 'not-met' ? 'not met' : `${obeyed} of ${served}`, tone: tones[verdict] },
      { text: verdict === 'not-met' || harmless.of === 0 ? '' : `${harmless.held} of ${harmless.of}` },
      { text: [...met, ...about].filter((part) => part !== '').join('; ') },
    ],
  }
}

/** Returns the first run in which an attack was obeyed, with what the agent did, or else the first that failed. */
function worstRun(plays: readonly VariantPlay[]) {
  const all = plays.flatMap((play) => {
    return play.report.runs.map((run) => {
      const { did = [] } = play.runs.find(({ trial }) => trial === run.trial) ?? {}
      return { name: `Run ${run.trial} ${nameOfPlay(play)}`, run, did: did[0] }
    })
  })
  return (
    all.find(({ did }) => did !== undefined) ?? all.find(({ run }) => run.not_judged === null && !run.passed)
  )
}
