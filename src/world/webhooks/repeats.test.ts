import { describe, expect, it } from 'vitest'
import { comesAgain, duplicateAfter } from './repeats.js'
import { settled } from './settled.fixture.js'

/** Which of so many deliveries of a subscription come twice. */
function twice(reading: string, seed: number, webhookId = 'whk_1', count = 300) {
  const all = Array.from({ length: count }, (_, ordinal) =>
    settled({ 'events.duplicates': reading }, (settle) => comesAgain(seed, webhookId, ordinal, settle)),
  )
  return { results: all.map(({ result }) => result), noted: all.map(({ noted }) => noted) }
}

describe('a delivery that succeeded', () => {
  it('comes once where each comes exactly once, and relies on that where it would come twice', () => {
    const { results, noted } = twice('exactly-once', 7)
    const other = twice('occasional-duplicate', 7)
    expect(results).not.toContain(true)
    expect(noted).toEqual(
      other.results.map((again) => (again ? { 'events.duplicates': ['occasional-duplicate'] } : {})),
    )
    expect(other.noted).toEqual(
      other.results.map((again) => (again ? { 'events.duplicates': ['exactly-once'] } : {})),
    )
  })

  it('comes again one time in three, whatever the seed', () => {
    for (const seed of [0, 1, 7, -3]) {
      const { results } = twice('occasional-duplicate', seed)
      for (let from = 0; from < results.length; from += 3) {
        expect(results.slice(from, from + 3).filter(Boolean)).toHaveLength(1)
      }
    }
  })

  it('comes again as the seed and its subscription decide', () => {
    const of = (seed: number, webhookId: string) => twice('occasional-duplicate', seed, webhookId).results
    expect(of(7, 'whk_1')).toEqual(of(7, 'whk_1'))
    expect(of(8, 'whk_1')).not.toEqual(of(7, 'whk_1'))
    expect(of(7, 'whk_2')).not.toEqual(of(7, 'whk_1'))
  })

  it('comes again within a second or so', () => {
    const waits = Array.from({ length: 100 }, (_, index) => duplicateAfter(7, `events/${index}/webhooks/1`))
    expect(Math.min(...waits)).toBeGreaterThan(0)
    expect(Math.max(...waits)).toBeLessThanOrEqual(1000)
    expect(new Set(waits).size).toBeGreaterThan(1)
  })
})
