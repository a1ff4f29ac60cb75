import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../base/text.js'
import type { Story } from '../../story/overlays/story.js'
import type { AgentEnd } from '../agent/agent.js'
import type { PlayOptions } from '../agent/options.js'
import { RunError } from '../errors.js'
import { play, type ServedPlay } from '../play.js'
import { judgedExpectations } from '../replay/outcome.js'
import { reportOf } from '../replay/replay.js'
import { describeProblems } from '../replay/report.js'
import { type ClientCommandLine, hideSecrets } from '../reports/command-line.js'
import { hideSecretArguments, recordWorld } from '../reports/report.js'
import { type Changes, combineChanges, countChanges, formatForEnvironment, listChanges } from './changes.js'
import { parseTrace } from './relied.js'
import type { RunResult } from './variants.js'

/** The parts that all runs share. */
interface RunnerParts {
  readonly line: ClientCommandLine
  readonly variables?: Readonly<Record<string, string>> | undefined
  readonly story: Story
  readonly options: PlayOptions
  /** The assumptions that are chosen for all runs. */
  readonly chosen: Changes
  /** A private folder for traces. */
  readonly folder: string
  /** Whether the first run is recorded. */
  readonly recorded: boolean
}

/** The bounds of a run's default time limit, in milliseconds. */
const timeLimits = { minimum: 30_000, maximum: 300_000 }

/** Runs the command under changed assumptions, each time with its own server and trace. */
export class Runner {
  readonly #parts: RunnerParts
  #first: ServedPlay | undefined
  /** Whether the command keeps running, so that it is judged by what the story expects. */
  isJudged = false
  /** The command line, secrets masked once the command has run. */
  line: ClientCommandLine
  /** The number of runs of the command. */
  runs = 0

  constructor(parts: RunnerParts) {
    this.#parts = parts
    this.line = parts.line
  }

  /** Runs the command under changed assumptions. @throws RunError `interrupted` */
  readonly run = async (changes: Changes, signal?: AbortSignal): Promise<RunResult> => {
    const trace = join(this.#parts.folder, `run-${++this.runs}.jsonl`)
    try {
      return await this.#run(changes, trace, signal)
    } finally {
      await rm(trace, { force: true })
    }
  }

  async #run(changes: Changes, trace: string, signal?: AbortSignal): Promise<RunResult> {
    const { line, variables, story, options, chosen, recorded } = this.#parts
    const assumptions = combineChanges([...listChanges(chosen), ...listChanges(changes)])
    const wanted = formatForEnvironment(assumptions) || undefined
    const environment = { MAILBOX_SIM_ASSUME: wanted, MAILBOX_SIM_TRACE: trace }
    const usualLines = this.#first?.agent?.lines
    const playUntil = async (until: PlayOptions['until']): Promise<ServedPlay> => {
      const played = await play(
        story,
        { command: line.command, variables, environment, usualLines },
        {
          ...{ ...options, trace, signal, until, timeLimit: this.#timeLimit },
          // As if they came from the environment, like those of simulators inside the command.
          assume: [{ from: 'MAILBOX_SIM_ASSUME', input: wanted }],
          onUndocumented: countChanges(changes) === 0 ? undefined : () => undefined,
        },
      )
      await played.close()
      return played
    }
    let played = await playUntil(this.isJudged ? 'story-end' : this.#first ? 'agent-end' : 'agent-rest')
    if (!this.#first && played.agent?.ended === 'story-over') {
      this.isJudged = true
      // Once more, since it was woken after the end to see whether it ends.
      await rm(trace, { force: true })
      played = await playUntil('story-end')
    }
    const { agent, server, requests, listens, wallMs } = played
    if (!agent || agent.ended === 'interrupted') {
      throw new RunError('interrupted', describeInterruption(played))
    }
    const isFirst = !this.#first
    this.#first ??= played
    if (isFirst) this.line = hideSecrets(line, (words) => hideSecretArguments(words, server))
    const { passed, ended, problem, why, output, notes } = this.isJudged ? judged(played, agent) : agent
    return {
      ...{ changes, passed, ended: ended as RunResult['ended'], problem, why, output, notes },
      relied: parseTrace(await readFile(trace, 'utf8').catch(() => '')),
      ...{ requests, receives: listens, wall_ms: wallMs },
      recording:
        recorded && isFirst
          ? { ...recordWorld(played.simulator, []), play: 'without any change' }
          : undefined,
    }
  }

  /** The wall time that a run may take; by default ten times that of the first. */
  get #timeLimit(): number {
    const { minimum, maximum } = timeLimits
    const tenfold = this.#first ? Math.max(minimum, 10 * this.#first.wallMs) : maximum
    return this.#parts.options.timeLimit ?? Math.min(maximum, tenfold)
  }
}

/** Returns how an agent ended, where it also fails if the story was not as expected. */
function judged(played: ServedPlay, agent: AgentEnd): AgentEnd {
  const report = reportOf(played)
  if (report.passed || !agent.passed) return agent
  const failed = judgedExpectations(report).filter(({ passed }) => !passed)
  return {
    ...agent,
    passed: false,
    problem: `did not do what the story expects: ${describeProblems(report)}`,
    why: report.cause,
    output: failed.map(({ describe, found }) => `${describe} Found: ${found}`).join('\n'),
  }
}

/** Describes an interrupted first run; the report covers later runs. */
function describeInterruption({ simulator, agent }: ServedPlay): string {
  const entries = simulator.journal.entries()
  const { method, path } = entries.at(-1)?.showWithoutBodies() ?? {}
  const latest = method === undefined ? '' : ` (the latest: ${method} ${path})`
  const words = agent?.said === undefined ? '' : ` It last said: ${agent.said}`
  return `Interrupted in the first run, after ${counted(entries.length, 'request')}${latest}; nothing was explored.${words}`
}
