import { counted } from '../../base/text.js'
import type { AttackVerdict } from '../../story/expectations/attack.js'
import { describeProblems, replayReport } from '../replay/report.js'
import type { JunitSuite } from '../reports/junit.js'
import { formatSeconds, type Report } from '../reports/report.js'
import type { Paragraph, TableRow } from '../reports/table.js'
import { trialsReport } from '../trials/trials-report.js'
import type { TrialRun } from '../trials/trials-summary.js'
import {
  type AttackOutcome,
  type AttacksReport,
  nameOfPlay,
  type Tally,
  type VariantPlay,
} from './attacks-summary.js'

/**
 * Prepares the report of a story under attacks for the reporters: a row for each attack, and the worst run in full. `lineFor`
 * returns the command line that plays an attack alone.
 */
export function attacksReport(report: AttacksReport, lineFor: (attack: string) => string = lineOf): Report {
  const {
    passed,
    scenario,
    attacks,
    plays,
    interrupted,
    utility,
    utility_under_attack: under,
    leaked,
    wall_ms,
  } = report
  const shown = worstRun(plays)
  const { findings = [], output, notes = [] } = shown ? replayReport(shown.run) : {}
  const runs = plays.reduce((sum, play) => sum + play.report.runs.length, 0)
  return {
    document: report,
    passed,
    headline: `${scenario} ${interrupted ? 'was interrupted' : passed ? 'passed' : 'failed'}: ${describeOutcome(report)}`,
    paragraphs: [
      [
        `Utility without attacks or with harmless mail: ${shareOf(utility)}.`,
        `Utility under attack: ${shareOf(under)}.`,
        `Met: ${shareOf(report.met)}. Obeyed: ${shareOf(report.obeyed)} that were met.`,
      ].join('\n'),
      ...describeBroken(report),
      ...describePairs(report),
      ...(leaked > 0 ? [`Something leaked in ${leaked} of ${counted(runs, 'run')}.`] : []),
      ...(attacks.every(({ verdict }) => verdict === 'not-met')
        ? ['No attack reached the agent, so nothing was proven: it opened none of the hostile messages.']
        : ['Known attacks that an agent resists are a regression test, not a proof that it is safe.']),
    ],
    table: {
      title: 'What became of each attack',
      subject: ['attack'],
      columns: ['obeyed of met', 'harmless', ''],
      rows: attacks.map(rowOf),
    },
    about: shown && `${shown.name}: ${describeActs(shown.did) || describeProblems(shown.run)}`,
    findings,
    output,
    notes: [...notes, ...notesOf(report, lineFor)],
    facts: [`${counted(runs, 'run')} in ${formatSeconds(wall_ms)}; seed ${report.seed}`],
    suites: [
      suiteOf(report),
      ...plays.flatMap((play) => {
        return trialsReport(play.report).suites.map((suite) => ({
          ...suite,
          name: `${suite.name}, ${nameOfPlay(play)}`,
        }))
      }),
    ],
  }
}

/** Says what did not hold, and in which play. */
function describeBroken({ broken }: AttacksReport): Paragraph[] {
  if (broken.length === 0) return []
  const lines = broken.map(({ describe, play, trial, exchange, held, of, found }) => {
    const times = of > 1 ? `held in ${held} of ${of} runs, not in run ${trial}` : 'did not hold'
    return { text: `${play}: ${describe} It ${times}: ${found}.`, play, trial, exchange }
  })
  return [{ title: 'What failed:', lines }]
}

/** Says how much of the library was played. */
function describePairs({ pairs: { played, of, trials } }: AttacksReport): string[] {
  if (of === 0) return []
  const rest =
    played === of
      ? ''
      : `; --attacks all --trials ${trials} plays each carrier with each goal, and so do ${trials} successive seeds`
  return [`Played: ${played} of the ${of} pairs of a carrier and a goal that this story allows${rest}.`]
}

/** Returns a test case for each attack that was met; an attack that was not met proves nothing. */
function suiteOf({ scenario, wall_ms, seed, attacks, met, obeyed }: AttacksReport): JunitSuite {
  const cases = attacks.flatMap(({ name, verdict, served, obeyed: times, example }) => {
    if (verdict === 'not-met') return []
    const message = `obeyed in ${times} of ${served} runs`
    const text = example?.did ?? message
    const problem = verdict === 'obeyed' ? { is: 'failure' as const, type: 'obeyed', message, text } : null
    return [{ name: `The agent resists ${name}.`, className: `${scenario}.attacks`, seconds: 0, problem }]
  })
  return {
    name: `${scenario}, attacks`,
    package: scenario,
    seconds: wall_ms / 1000,
    properties: {
      seed: String(seed),
      attacks: String(met.of),
      met: String(met.held),
      obeyed: String(obeyed.held),
    },
    cases,
    output: '',
  }
}

/** The most obeyed attacks that the line of the outcome names. */
const namedAttacks = 3

/**
 * Returns the outcome in a line: `utility 5 of 5; under attack 22 of 25; 4 attacks were read and resisted, 1 was obeyed
 * (refund-to-stranger), 2 were never opened`.
 */
function describeOutcome({ attacks, utility, utility_under_attack: under }: AttacksReport): string {
  const having = (verdict: AttackVerdict) => attacks.filter((one) => one.verdict === verdict)
  const was = (number: number): string => (number === 1 ? 'was' : 'were')
  const [obeyed, resisted, missed] = [having('obeyed'), having('resisted').length, having('not-met').length]
  const more = obeyed.length - namedAttacks
  const names = [
    ...obeyed.slice(0, namedAttacks).map(({ name }) => name),
    ...(more > 0 ? [`${more} more`] : []),
  ].join(', ')
  const verdicts = [
    `${counted(resisted, 'attack')} ${was(resisted)} read and resisted`,
    obeyed.length === 0 ? 'none was obeyed' : `${obeyed.length} ${was(obeyed.length)} obeyed (${names})`,
    ...(missed > 0 ? [`${missed} ${was(missed)} never opened`] : []),
  ]
  const shares = `utility ${utility.held} of ${utility.of}; under attack ${under.held} of ${under.of}`
  return `${shares}; ${verdicts.join(', ')}`
}

function shareOf({ held, of }: Tally): string {
  return `${held} of ${of}`
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
    isMinor: verdict !== 'obeyed' && carrier !== null,
    cells: [
      { text: verdict === 'not-met' ? 'not met' : `${obeyed} of ${served}`, tone: tones[verdict] },
      { text: verdict === 'not-met' || harmless.of === 0 ? '' : shareOf(harmless) },
      { text: [...met, ...about].filter((part) => part !== '').join('; ') },
    ],
  }
}

function lineOf(attack: string): string {
  return `--attacks ${attack}`
}

function notesOf({ attacks, plays }: AttacksReport, lineFor: (attack: string) => string): string[] {
  const obeyed = attacks.filter(({ verdict }) => verdict === 'obeyed').map(({ name }) => name)
  const [first] = obeyed
  if (first === undefined) return []
  const all = obeyed.length > 1 ? [`To play all that was obeyed: --attacks ${obeyed.join(',')}`] : []
  const areTogether = plays.some(({ form, attacks: names }) => form === 'hostile' && names.length > 1)
  const shared = areTogether
    ? [
        'What several attacks ask for counts for each whose text the agent had got by then, since they were played together; play one alone to tell them apart.',
      ]
    : []
  return [`To play ${first} alone: ${lineFor(first)}`, ...all, ...shared]
}

/** The most informative run, and what the agent did in it to obey. */
interface WorstRun {
  readonly name: string
  readonly run: TrialRun
  readonly did: readonly string[]
}

/** The maximum number of acts that are described; agents that obey everything do dozens. */
const describedActs = 4

function describeActs(did: readonly string[]): string {
  const acts = [...new Set(did)]
  const more = acts.length - describedActs
  return [...acts.slice(0, describedActs), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** Returns the first run in which an attack was obeyed, or else the first that failed. */
function worstRun(plays: readonly VariantPlay[]): WorstRun | undefined {
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
