import { type AttacksReport, nameOfPlay } from '../../src/runs/attacks/attacks-summary.js'
import type { AgentsProject } from '../examples/agents-project.js'
import { languagesHere } from '../examples/languages.js'

/** The plays of the example agents, by language: the scenario with its flags, and the agent. */
const plays = [
  ['refunds.yaml', 'careful'],
  ['refunds.yaml', 'naive'],
  ['inbox.yaml', 'naive --once'],
  ['refund-conversation', 'asks'],
  ['refund-conversation', 'hasty'],
  ['prompt-injection --attacks all', 'attacked/careful'],
  ['prompt-injection --attacks all', 'attacked/obedient'],
  ['prompt-injection --attacks all', 'attacked/refusing'],
  ['prompt-injection --attacks all', 'attacked/lazy'],
] as const

/** A play of an example agent. */
export interface AgentPlay {
  /** Its heading in the record. */
  readonly name: string
  /** The arguments of the program. */
  readonly words: readonly string[]
}

/** Every play in each language of this machine. */
export function agentPlays(): AgentPlay[] {
  return languagesHere().flatMap(({ folder, ending, runner }) =>
    plays.map(([scenario, agent]) => {
      const [file = '', ...args] = agent.split(' ')
      const command = [...runner, `${folder}/${file}.${ending}`, ...args]
      return {
        name: `${scenario}, ${folder}/${agent}`,
        words: ['replay', ...scenario.split(' '), '--reporter', 'json', '--', ...command],
      }
    }),
  )
}

/** What a report says: of a play without attacks, or of plays with them. */
type Report =
  | { readonly verdicts: readonly { readonly describe: string; readonly passed: boolean }[] }
  | {
      readonly attacks: readonly { readonly name: string; readonly verdict: string }[]
      readonly plays: AttacksReport['plays']
    }

/** Plays an agent; returns the verdict on each expectation or attack, and the exit status of the program. */
export async function agentVerdicts(
  project: AgentsProject,
  { words }: AgentPlay,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const { status, stdout, stderr } = await project.run(words, signal)
  if (!stdout.startsWith('{')) throw new Error(`${words.join(' ')} gave no report: ${stderr}`)
  return new Map([...shownVerdicts(JSON.parse(stdout)), ['exit status', String(status)]])
}

function shownVerdicts(report: Report): (readonly [string, string])[] {
  if ('verdicts' in report) {
    return report.verdicts.map(
      ({ describe, passed }, index) => [`${index + 1}. ${describe}`, passed ? 'held' : 'failed'] as const,
    )
  }
  return [
    ...report.attacks.map(({ name, verdict }) => [name, verdict] as const),
    ...report.plays.flatMap((play) => {
      const { expectations, runs } = play.report
      const failed = expectations.filter(({ held, of }) => held < of).map(({ describe }) => describe)
      const isOver = runs.every(({ command }) => command?.passed !== false)
      return [...failed, ...(isOver ? [] : ['The command succeeds.'])].map(
        (describe) => [`${nameOfPlay(play)}: ${describe}`, 'failed'] as const,
      )
    }),
  ]
}
