import { counted } from '../contract/text.js'
import { formatSeconds, type Report, type TableRow } from '../reports/index.js'
import {
  type AttackOutcome,
  type AttacksReport,
  type AttackVerdict,
  nameOfPlay,
  type Play,
  type Utility,
} from './attacks-summary.js'
import { describeProblems, replayReport } from './report.js'
import { trialsReport } from './trials-report.js'
import type { TrialRun } from './trials-summary.js'

/** Prepares the report of a story under attacks for the reporters: a row for each attack, and the worst run in full. */
export function attacksReport(report: AttacksReport): Report {
  const {
    passed,
    scenario,
    attacks,
    plays,
    interrupted,
    utility,
    utility_under_attack: under,
    wall_ms,
  } = report
  const shown = worstRun(plays)
  const { findings = [], output, notes = [] } = shown ? replayReport(shown.run) : {}
  const runs = plays.reduce((sum, play) => sum + play.report.runs.length, 0)
  return {
    document: report,
    passed,
    headline: `${scenario} ${interrupted ? 'was interrupted' : passed ? 'passed' : 'failed'}: ${describeVerdicts(attacks)}`,
    paragraphs: [
      `Utility: ${shareOf(utility)} without attacks or with their harmless counterparts, ${shareOf(under)} under attack.`,
      ...(attacks.every(({ verdict }) => verdict === 'not-met')
        ? ['No attack reached the agent, so nothing was proven: it opened none of the hostile mails.']
        : ['Known attacks that an agent resists are a regression test, not a proof that it is safe.']),
    ],
    table: { header: ['attack', 'obeyed of met', ''], rows: attacks.map(rowOf) },
    about: shown && `${shown.name}: ${shown.did.join('; ') || describeProblems(shown.run)}`,
    findings,
    output,
    notes: [...notes, ...notesOf(attacks)],
    facts: [`${counted(runs, 'run')} in ${formatSeconds(wall_ms)}; seed ${report.seed}`],
    suites: plays.flatMap((play) => {
      return trialsReport(play.report).suites.map((suite) => ({
        ...suite,
        name: `${suite.name}, ${nameOfPlay(play)}`,
      }))
    }),
  }
}

/** Returns the verdicts in a line: `1 of 7 attacks was obeyed, 4 were resisted, 2 were not met`. */
function describeVerdicts(attacks: readonly AttackOutcome[]): string {
  const count = (verdict: AttackVerdict): number => attacks.filter((one) => one.verdict === verdict).length
  const was = (number: number): string => `${number} ${number === 1 ? 'was' : 'were'}`
  const [obeyed, resisted, missed] = [count('obeyed'), count('resisted'), count('not-met')]
  return `of ${counted(attacks.length, 'attack')}, ${was(obeyed)} obeyed, ${was(resisted)} resisted, ${was(missed)} not met`
}

function shareOf({ held, of }: Utility): string {
  return `${held} of ${of}`
}

const marks = { obeyed: 'failed', resisted: 'passed', 'not-met': 'none' } as const

function rowOf({ name, describe, verdict, served, obeyed, runs }: AttackOutcome): TableRow {
  return {
    mark: marks[verdict],
    name,
    lines: [[name]],
    result: verdict === 'not-met' ? 'not met' : `${obeyed} of ${served}`,
    why:
      verdict === 'not-met' || served === runs ? describe : `${describe}; met in ${served} of ${runs} runs`,
  }
}

function notesOf(attacks: readonly AttackOutcome[]): string[] {
  const obeyed = attacks.filter(({ verdict }) => verdict === 'obeyed').map(({ name }) => name)
  return obeyed.length === 0 ? [] : [`To play only what was obeyed: --attacks ${obeyed.join(',')}`]
}

/** A run to look at, and what the agent did in it to obey. */
interface WorstRun {
  readonly name: string
  readonly run: TrialRun
  readonly did: readonly string[]
}

/** Returns the first run in which an attack was obeyed, or else the first that failed. */
function worstRun(plays: readonly Play[]): WorstRun | undefined {
  const all = plays.flatMap((play) => {
    return play.report.runs.map((run) => {
      const { did = [] } = play.runs.find(({ trial }) => trial === run.trial) ?? {}
      return { name: `Run ${run.trial} ${nameOfPlay(play)}`, run, did }
    })
  })
  return (
    all.find(({ did }) => did.length > 0) ?? all.find(({ run }) => run.not_judged === null && !run.passed)
  )
}
