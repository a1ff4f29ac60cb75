import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyReadings, openReplay, requestGaps, type Situation } from './anything/replay.js'
import { anyRequestAbout } from './anything/requests.js'
import { anyStory, type WorldEvent } from './anything/story.js'
import { type Subject, subjectOf, subjects } from './anything/subjects.js'

/** Any situation in which something about a subject is asked. */
function anySituation(
  subject: Subject,
  story: fc.Arbitrary<WorldEvent[]> = anyStory,
): fc.Arbitrary<Situation> {
  return fc.record({ story, readings: anyReadings, request: anyRequestAbout(subject) })
}

/** More requests than the limit of a minute allows, right before the one that is looked at. */
const aBusyMinute = fc.constant<WorldEvent[]>([{ what: 'hurry', requests: 61 }])

describe('the reliances an exchange notes are those that trying every reading finds', {
  timeout: 60_000,
}, () => {
  it.each(subjects)('whatever is asked about: %s', async (subject) => {
    const replay = await openReplay()
    const exact = fc.asyncProperty(anySituation(subject), async (situation) => {
      await replay.answer(situation)
      expect(replay.noted()).toEqual(await replay.found(situation))
    })
    await fc.assert(exact, { numRuns: 20 })
  })

  // A gap that few requests come upon would hardly ever come up above: here, only such requests count.
  it.each(requestGaps)('where an answer relies on %s', async (gap) => {
    const replay = await openReplay()
    const story = gap === 'limits.rate' ? aBusyMinute : anyStory
    const exact = fc.asyncProperty(anySituation(subjectOf(gap), story), async (situation) => {
      await replay.answer(situation)
      const noted = replay.noted()
      fc.pre(gap in noted)
      expect(noted).toEqual(await replay.found(situation))
    })
    await fc.assert(exact, { numRuns: gap === 'limits.rate' ? 2 : 4, maxSkipsPerRun: 1000 })
  })
})
