import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import fc from 'fast-check'
import { type Assumptions, assumptionsOf, defaultAssumptions, gapIds } from '../../../src/contract/gaps.js'
import { isRequestGap, type RequestGap } from '../gap-case.js'
import { type AnyRequest, answerTo, get, keys, office } from './office.js'
import { type Cast, openingCast, play, type WorldEvent, withCast } from './story.js'

/** The gaps that are visible in answers to requests. */
export const requestGaps = gapIds.filter(isRequestGap)

/** Any assumption for any gap; about half of the gaps are left at the default. */
export const anyAssumptions: fc.Arbitrary<Partial<Assumptions>> = fc.record(
  Object.fromEntries(
    requestGaps.map((gap) => [gap, fc.constantFrom(...assumptionsOf(gap).map(({ name }) => name))]),
  ),
  { requiredKeys: [] },
)

/** A story, its assumptions and a request at its end. */
export interface Situation {
  readonly story: readonly WorldEvent[]
  readonly assumptions: Partial<Assumptions>
  readonly request: AnyRequest
}

/** The assumptions that change a result, sorted, by gap. */
export type Instead = Record<string, readonly string[]>

/**
 * Gaps that an answer relies on for what comes later: listing the messages of a thread may mark it read, which
 * the list itself does not show and the threads do from then on.
 */
const shownLater: Partial<Record<RequestGap, (simulator: Simulator) => Promise<string>>> = {
  'threads.unread-after-read': async (simulator) => {
    simulator.assumptions.set(defaultAssumptions)
    const lists = [keys.own, keys.other].map((key) =>
      answerTo(simulator, get('/mail/threads?limit=100', key)),
    )
    return (await Promise.all(lists)).join('\n')
  },
}

/** Replays situations from the start. */
export class Replay {
  readonly #simulator: Simulator
  readonly #opening: Cast

  constructor(simulator: Simulator, opening: Cast) {
    this.#simulator = simulator
    this.#opening = opening
  }

  /** Returns the answer if some assumptions change right before the request. */
  async answer({ story, assumptions, request }: Situation, change?: Record<string, string>): Promise<string> {
    // The first world instead of a fork: requests with any key or none reach it.
    this.#simulator.reset()
    this.#simulator.assumptions.set(assumptions)
    const cast = await play(this.#simulator, story, this.#opening)
    if (change) this.#simulator.assumptions.set(change)
    return answerTo(this.#simulator, { ...request, path: withCast(request.path, cast) })
  }

  /** The assumptions that would have changed the latest answer, according to the journal. */
  noted(): Instead {
    const reliances = this.#simulator.journal.exchanges().at(-1)?.reliances ?? []
    return Object.fromEntries(reliances.map(({ gap, instead }) => [gap, instead.toSorted()]))
  }

  /** Returns the assumptions with another answer, found by trying every one. */
  async found(situation: Situation): Promise<Instead> {
    const current = { ...defaultAssumptions, ...situation.assumptions }
    const answer = await this.answer(situation)
    const found: Instead = {}
    for (const gap of requestGaps) {
      const here = gap in shownLater ? await this.#outcome(gap, situation) : answer
      const instead: string[] = []
      for (const { name } of assumptionsOf(gap)) {
        if (name === current[gap]) continue
        if ((await this.#outcome(gap, situation, { [gap]: name })) !== here) instead.push(name)
      }
      if (instead.length > 0) found[gap] = instead.toSorted()
    }
    return found
  }

  async #outcome(gap: RequestGap, situation: Situation, change?: Record<string, string>): Promise<string> {
    const answer = await this.answer(situation, change)
    return answer + ((await shownLater[gap]?.(this.#simulator)) ?? '')
  }
}

/** Opens the office for replays; a defect of the simulator fails the test. */
export async function openReplay(): Promise<Replay> {
  const onDefect = (error: unknown) => {
    throw error
  }
  const simulator = await createSimulator({ scenario: office, onDefect })
  return new Replay(simulator, await openingCast(simulator))
}
