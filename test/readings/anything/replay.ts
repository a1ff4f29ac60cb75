import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import fc from 'fast-check'
import { defaultReadings, gapIds, type Readings, readingsOf } from '../../../src/contract/gaps.js'
import { isRequestGap, type RequestGap } from '../gap-case.js'
import { type AnyRequest, answerTo, get, keys, office } from './office.js'
import { type Cast, openingCast, play, type WorldEvent, withCast } from './story.js'

/** The gaps that are visible in answers to requests. */
export const requestGaps = gapIds.filter(isRequestGap)

/** Any reading for any gap; about half of the gaps are left at the default. */
export const anyReadings: fc.Arbitrary<Partial<Readings>> = fc.record(
  Object.fromEntries(
    requestGaps.map((gap) => [gap, fc.constantFrom(...readingsOf(gap).map(({ name }) => name))]),
  ),
  { requiredKeys: [] },
)

/** A story, its readings and a request at its end. */
export interface Situation {
  readonly story: readonly WorldEvent[]
  readonly readings: Partial<Readings>
  readonly request: AnyRequest
}

/** The readings that change a result, sorted, by gap. */
export type Instead = Record<string, readonly string[]>

/**
 * Gaps that an answer relies on for what comes later: listing the messages of a thread may mark it read, which
 * the list itself does not show and the threads do from then on.
 */
const shownLater: Partial<Record<RequestGap, (simulator: Simulator) => Promise<string>>> = {
  'threads.unread-after-read': async (simulator) => {
    simulator.readings.set(defaultReadings)
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

  /** Returns the answer if some readings change right before the request. */
  async answer({ story, readings, request }: Situation, change?: Record<string, string>): Promise<string> {
    // The first world instead of a fork: requests with any key or none reach it.
    this.#simulator.reset()
    this.#simulator.readings.set(readings)
    const cast = await play(this.#simulator, story, this.#opening)
    if (change) this.#simulator.readings.set(change)
    return answerTo(this.#simulator, { ...request, path: withCast(request.path, cast) })
  }

  /** The readings that would have changed the latest answer, according to the journal. */
  noted(): Instead {
    const reliances = this.#simulator.journal.exchanges().at(-1)?.reliances ?? []
    return Object.fromEntries(reliances.map(({ gap, instead }) => [gap, instead.toSorted()]))
  }

  /** Returns the readings with another answer, found by trying every one. */
  async found(situation: Situation): Promise<Instead> {
    const current = { ...defaultReadings, ...situation.readings }
    const answer = await this.answer(situation)
    const found: Instead = {}
    for (const gap of requestGaps) {
      const here = gap in shownLater ? await this.#outcome(gap, situation) : answer
      const instead: string[] = []
      for (const { name } of readingsOf(gap)) {
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
