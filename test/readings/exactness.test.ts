import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyReadings, openReplay } from './anything/replay.js'
import { anyRequestAbout, type Subject } from './anything/requests.js'
import { anyStory } from './anything/story.js'

const runs = { identity: 30, update: 80, threads: 80, messages: 80, webhooks: 40, files: 20, elsewhere: 40 }

describe('the reliances an exchange notes', () => {
  it.each(Object.keys(runs) as Subject[])('are those that trying every reading of every gap finds', async (subject) => {
    const replay = await openReplay()
    const hits: Record<string, number> = {}
    const t = performance.now()
    const numRuns = Number(process.env['RUNS'] ?? runs[subject])
    await fc.assert(
      fc.asyncProperty(
        fc.record({ story: anyStory, readings: anyReadings, request: anyRequestAbout(subject) }),
        async (situation) => {
          await replay.answer(situation)
          const noted = replay.noted()
          for (const g of Object.keys(noted)) hits[g] = (hits[g] ?? 0) + 1
          if (!process.env['DRY'] ) expect(noted).toEqual(await replay.found(situation))
        },
      ),
      { numRuns },
    )
    console.log(subject, numRuns, performance.now() - t, JSON.stringify(Object.fromEntries(Object.entries(hits).toSorted((a, b) => a[1] - b[1]).map(([a, b]) => [a, Math.round(b / numRuns*1000) / 10]))))
  }, 600_000)
})
