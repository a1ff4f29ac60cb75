import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestedLayers } from '../../doors/simulator/scenario-loader.js'
import { assumptionsVariable } from '../../service/assumptions/assumptions.js'
import type { AttackChoice } from '../../story/attacks/lay-attacks.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { loadScenario } from '../../story/load.js'
import type { Story } from '../../story/story.js'
import type { PlayOptions, RepeatedPlayOptions } from '../agent/options.js'
import { RunError } from '../errors.js'
import { type Play, play } from '../play.js'
import type { ReplayReport } from '../replay/outcome.js'
import { reportOf } from '../replay/replay.js'
import type { Disturbance } from './disturbance.js'
import { formatForEnvironment, parseTrace, type ReliedGaps } from './relied.js'

/** What a play needs besides its document. */
export interface PlayNeeds {
  readonly under?: AttackChoice | undefined
  readonly assumption?: Disturbance['assumption'] | undefined
  readonly playing?: Disturbance['playing'] | undefined
  readonly until?: PlayOptions['until'] | undefined
  /** Attacks whose mail does not come, to see what an agent does anyway of what they ask for. */
  readonly watched?: AttackChoice | undefined
}

/** A play that ended, with its world as it was at the end. */
export interface Ended {
  readonly played: Play
  readonly report: ReplayReport
  readonly relied: ReliedGaps
}

/** The limits of a play that goes on and on, given those that did not. */
export interface PlayLimits {
  readonly timeLimit: number
  readonly maxRequests: number
}

/** Plays documents to a command, each on a server of its own. */
export class Player {
  readonly #options: RepeatedPlayOptions
  /** When every story begins, in milliseconds since the epoch. */
  readonly #start: number
  limits: PlayLimits | undefined
  /** The first story, whose mailboxes most others have as well. */
  #like: Story | undefined
  /** The number of plays that ended. */
  count = 0

  constructor(options: RepeatedPlayOptions, start: number) {
    this.#options = options
    this.#start = start
  }

  /** Plays a document to its end. @throws ScenarioError, WorldError, ServerError, RunError */
  async play(document: ScenarioInput, needs: PlayNeeds = {}, watching: Watching = {}): Promise<Ended> {
    const { command, variables, flags: _, jobs: __, scenario: ___, ...playing } = this.#options
    const { assumption, until } = needs
    const story = await this.load(document, needs)
    const folder = await mkdtemp(join(tmpdir(), 'ams-check-'))
    const trace = join(folder, 'trace.jsonl')
    const given = process.env[assumptionsVariable]
    const chosen = assumption && formatForEnvironment(assumption.gap, assumption.assumption)
    const environment = {
      [assumptionsVariable]: [given, chosen].filter(Boolean).join(',') || undefined,
      MAILBOX_SIM_TRACE: trace,
    }
    try {
      const played = await play(
        story,
        { command, variables, environment },
        {
          ...playing,
          // Said once is enough.
          ...(this.count > 0 && { onUndocumented: () => undefined }),
          ...this.limits,
          ...needs.playing,
          ...watching,
          trace,
          until,
        },
      )
      await played.close()
      if (played.interrupted) throw new RunError('interrupted', 'Interrupted.')
      this.count++
      const relied = parseTrace(await readFile(trace, 'utf8').catch(() => ''))
      return { played, report: reportOf(played), relied }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Loads the story of a document. @throws ScenarioError, WorldError */
  async load(document: ScenarioInput, { under, watched }: PlayNeeds = {}): Promise<Story> {
    const { assume, extend, deliveryFormat } = this.#options
    const options = { extend, deliveryFormat, start: this.#start, assumptions: requestedLayers(assume) }
    const story = await loadScenario(document, { ...options, under, like: this.#like })
    this.#like ??= story
    if (!watched) return story
    const { attacks = [] } = await loadScenario(document, { ...options, under: watched, like: story })
    return { ...story, attacks: attacks.map((attack) => ({ ...attack, isAbsent: true })) }
  }
}

/** Interrupts a play, and observes it. */
export type Watching = Pick<PlayOptions, 'signal' | 'watcher'>
