import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyAssumptions, openReplay, requestGaps, type Situation } from './anything/replay.js'
import { anyRequestAbout } from './anything/requests.js'
import { anyStory, type WorldEvent } from './anything/story.js'
import { type Subject, subjectOf, subjects } from './anything/subjects.js'

/** Any story with a request about a subject. */
function anySituation(
  subject: Subject,
  story: fc.Arbitrary<WorldEvent[]> = anyStory,
): fc.Arbitrary<Situation> {
  return fc.record({ story, assumptions: anyAssumptions, request: anyRequestAbout(subject) })
}

/** More requests than the rate limit allows in a minute. */
const aBusyMinute = fc.constant<WorldEvent[]>([{ what: 'requests', number: 61 }])

describe('the reliances of an exchange', {
  timeout: 60_000,
}, () => {
  it.each(subjects)('equal those found by trying every assumption: %s', async (subject) => {
    const replay = await openReplay()
    const exact = fc.asyncProperty(anySituation(subject), async (situation) => {
      await replay.answer(situation)
      expect(replay.noted()).toEqual(await replay.found(situation))
    })
    await fc.assert(exact, { numRuns: 3 })
  })

  // Few requests rely on some gaps; only those count here.
  it.each(requestGaps)(
    'equal those found by trying every assumption where an answer relies on %s',
    async (gap) => {
      const replay = await openReplay()
      const story = gap === 'limits.rate' ? aBusyMinute : anyStory
      const exact = fc.asyncProperty(anySituation(subjectOf(gap), story), async (situation) => {
        await replay.answer(situation)
        const noted = replay.noted()
        fc.pre(gap in noted)
        expect(noted).toEqual(await replay.found(situation))
      })
      await fc.assert(exact, { numRuns: 1, maxSkipsPerRun: 1000 })
    },
  )
})
