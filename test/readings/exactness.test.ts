import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultReadings, gapIds, type Readings, readingsOf } from '../../src/contract/gaps.js'
import { type AnyRequest, answerTo, get, keys, office } from './anything/office.js'
import { anyRequest } from './anything/request.js'
import { anyStory, type Cast, type Happening, openingCast, play, withCast } from './anything/story.js'
import type { RequestGap } from './gap-case.js'

const requestGaps = gapIds.filter((gap): gap is RequestGap => !gap.startsWith('events.'))

/** For some gaps, a reading other than the default; about half of them are left at the default. */
const anyReadings: fc.Arbitrary<Partial<Readings>> = fc.record(
  Object.fromEntries(
    requestGaps.map((gap) => [gap, fc.constantFrom(...readingsOf(gap).map(({ name }) => name))]),
  ),
  { requiredKeys: [] },
)

/** What happened, under which readings, and what was asked then. */
interface Situation {
  readonly story: readonly Happening[]
  readonly readings: Partial<Readings>
  readonly request: AnyRequest
}

/**
 * Gaps that answers rely on for what comes later. Listing the messages of a thread may mark it read: the list
 * itself is the same under both readings, and what the threads show afterwards is not.
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

/** Has a situation come about from the start, with the readings changed before the request. */
class Replay {
  readonly #simulator: Simulator
  readonly #opening: Cast

  constructor(simulator: Simulator, opening: Cast) {
    this.#simulator = simulator
    this.#opening = opening
  }

  /** What a client gets. */
  async answer(
    { story, readings, request }: Situation,
    change: Record<string, string> = {},
  ): Promise<string> {
    // The first world rather than a fork: it is the one that requests with any key or none reach.
    this.#simulator.reset()
    this.#simulator.readings.set(readings)
    const cast = await play(this.#simulator, story, this.#opening)
    this.#simulator.readings.set(change)
    return answerTo(this.#simulator, { ...request, path: withCast(request.path, cast) })
  }

  /** The readings under which an answer is another, by gap, as the journal notes them. */
  noted(): Record<string, readonly string[]> {
    const reliances = this.#simulator.journal.exchanges().at(-1)?.reliances ?? []
    return Object.fromEntries(reliances.map(({ gap, instead }) => [gap, instead.toSorted()]))
  }

  /** The readings under which an answer is another, by gap, found by trying every one. */
  async found(situation: Situation): Promise<Record<string, readonly string[]>> {
    const found: Record<string, readonly string[]> = {}
    const current = { ...defaultReadings, ...situation.readings }
    const answer = await this.answer(situation)
    for (const gap of requestGaps) {
      const others = readingsOf(gap).filter(({ name }) => name !== current[gap])
      const here = gap in shownLater ? await this.#outcome(gap, situation) : answer
      const instead: string[] = []
      for (const { name } of others) {
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

async function openReplay(): Promise<Replay> {
  const onDefect = (error: unknown) => {
    throw error
  }
  const simulator = await createSimulator({ scenario: office, onDefect })
  return new Replay(simulator, await openingCast(simulator))
}

describe('the reliances an exchange notes', () => {
  it('are those that trying every reading of every gap finds', async () => {
    const replay = await openReplay()
    const hits: Record<string, number> = {}
    const t = performance.now()
    await fc.assert(
      fc.asyncProperty(
        fc.record({ story: anyStory, readings: anyReadings, request: anyRequest }),
        async (situation) => {
          await replay.answer(situation)
          const noted = replay.noted()
          for (const g of Object.keys(noted)) hits[g] = (hits[g] ?? 0) + 1
          expect(noted).toEqual(await replay.found(situation))
        },
      ),
      { numRuns: Number(process.env['RUNS'] ?? 300) },
    )
    console.log(
      performance.now() - t,
      Object.fromEntries(Object.entries(hits).toSorted((a, b) => a[1] - b[1])),
      requestGaps.filter((g) => !hits[g]),
    )
  }, 600_000)
})
