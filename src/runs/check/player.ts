import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseJson } from '../../base/json.js'
import { type Gap, namesOfAssumptions } from '../../contract/gaps/gap.js'
import { type GapId, gapIds, gaps } from '../../contract/gaps.js'
import { requestedLayers } from '../../doors/simulator/scenario-loader.js'
import { assumptionsVariable } from '../../service/assumptions/assumptions.js'
import { maxTimerDelay, startTimer } from '../../service/time/wall-time.js'
import type { AttackChoice } from '../../story/attacks/lay-attacks.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { loadScenario } from '../../story/load.js'
import type { Story } from '../../story/story.js'
import type { PlayOptions } from '../agent/options.js'
import { RunError } from '../errors.js'
import { type Play, play } from '../play.js'
import type { ReplayReport } from '../replay/outcome.js'
import { type ReplayOptions, reportOf } from '../replay/replay.js'
import type { Effect, ReliedGaps } from './disturbance.js'

/** The options of plays of disturbed stories to a command. */
export interface PlayerOptions extends Omit<ReplayOptions, 'watcher' | 'maxRequests'> {
  readonly command: readonly string[]
  /** A shipped name or a path; `support-desk` by default. */
  readonly scenario?: string | undefined
}

/** What a play needs besides its document. */
export interface PlayNeeds
  extends Pick<Effect, 'under' | 'assumption' | 'playing'>,
    Pick<PlayOptions, 'signal'> {
  /** Attacks whose mail does not come, to see what an agent does anyway of what they ask for. */
  readonly watched?: AttackChoice | undefined
}

/** A play that ended, with its world as it was at the end. */
export interface Ended {
  readonly played: Play
  readonly report: ReplayReport
  readonly relied: ReliedGaps
}

/** Plays documents to a command, each on a server of its own. */
export class Player {
  readonly #options: PlayerOptions
  /** When every story begins, in milliseconds since the epoch. */
  readonly #start: number
  /** What ends a play that goes on and on, given those that did not; `time` is in milliseconds of wall time. */
  limits: Pick<PlayOptions, 'maxRequests'> & { readonly time: number } = { time: maxTimerDelay }
  /** The first story, whose mailboxes most others have as well. */
  #like: Story | undefined
  /** The number of plays that ended. */
  count = 0

  constructor(options: PlayerOptions, start: number) {
    this.#options = options
    this.#start = start
  }

  /** Plays a document to its end. @throws ScenarioError, WorldError, ServerError, RunError */
  async play(document: ScenarioInput, needs: PlayNeeds = {}): Promise<Ended> {
    const { command, variables, ...playing } = this.#options
    const { assumption, signal } = needs
    const { time, maxRequests } = this.limits
    const story = await this.load(document, needs)
    const folder = await mkdtemp(join(tmpdir(), 'ams-check-'))
    const trace = join(folder, 'trace.jsonl')
    const given = process.env[assumptionsVariable]
    const chosen = assumption && formatForEnvironment(assumption)
    const environment = {
      [assumptionsVariable]: [given, chosen].filter(Boolean).join(',') || undefined,
      MAILBOX_SIM_TRACE: trace,
    }
    // The timer holds what it aborts: a signal that follows others is held weakly by them, and `AbortSignal.timeout` by nobody.
    const late = new AbortController()
    const disarm = startTimer(() => late.abort(), time, true)
    try {
      const played = await play(
        story,
        { command, variables, environment },
        {
          ...playing,
          // Said once is enough.
          ...(this.count > 0 && { onUndocumented: () => undefined }),
          maxRequests,
          ...needs.playing,
          ...{ trace, signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]) },
        },
      )
      await played.close()
      if (signal?.aborted) throw new RunError('interrupted', 'Interrupted.')
      this.count++
      const relied = parseTrace(await readFile(trace, 'utf8').catch(() => ''))
      return { played, report: reportOf(played), relied }
    } finally {
      disarm()
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

/** The relevant fields of a line of a trace. */
interface TraceLine {
  readonly gap: GapId
  readonly assumption: string
  readonly instead: readonly string[]
  /** Who chose the assumption. */
  readonly from?: unknown
  /** The gap itself, if an extension defines it. */
  readonly own?: Pick<Gap, 'assumptions'>
}

/** Parses a trace that simulators append to. Malformed lines are skipped, as are gaps that this version does not know. */
export function parseTrace(text: string): ReliedGaps {
  const lines = text.split('\n').flatMap(parseLine)
  const found = [...new Set(lines.map(({ gap }) => gap))]
  const others = found.filter((gap) => !gapIds.includes(gap)).sort()
  const relied = new Map<GapId, readonly string[]>()
  for (const gap of [...gapIds.filter((one) => found.includes(one)), ...others]) {
    const all = lines.filter((line) => line.gap === gap)
    const own = all.find((line) => line.own)?.own ?? (gapIds.includes(gap) ? gaps[gap] : undefined)
    if (!own) continue
    const free = all.filter((line) => !isFixed(line))
    const isOpen = free.some(({ from }) => from !== 'scenario')
    relied.set(
      gap,
      namesOfAssumptions(own).filter((name) => isOpen && free.some(({ instead }) => instead.includes(name))),
    )
  }
  return relied
}

/** Returns whether the assumption was chosen by something that overrides the environment, through which others are tested. */
function isFixed({ from }: TraceLine): boolean {
  return typeof from === 'string' && !/^(default|scenario|MAILBOX_SIM_ASSUME)\b/.test(from)
}

function parseLine(line: string): TraceLine[] {
  const value = parseJson(line) as Partial<Record<keyof TraceLine, unknown>> | null | undefined
  const { gap, assumption, instead } = value ?? {}
  const isFit = typeof gap === 'string' && typeof assumption === 'string' && Array.isArray(instead)
  return isFit ? [value as TraceLine] : []
}

/**
 * Formats an assumption for `MAILBOX_SIM_ASSUME`, which simulators of all kinds read: those without an extension skip its
 * gaps.
 */
export function formatForEnvironment({ gap, assumption }: NonNullable<Effect['assumption']>): string {
  return `${gap}${gapIds.includes(gap) ? '' : '?'}=${assumption}`
}
