import { describe, expect, it } from 'vitest'
import { createRandom } from '../../service/time/random.js'
import { mailCategories } from '../letters/schema.js'
import { createKindChoice } from './generate.js'
import { loadKinds, loadLocale } from './wording.js'

type Wanted = Parameters<typeof createKindChoice>[1]

const DRAWS = 4_000
const kinds = await loadKinds('en', (await loadLocale('en')).language)

function draw(wanted: Wanted) {
  const choose = createKindChoice(kinds, wanted)
  return Array.from({ length: DRAWS }, (_, thread) => choose(createRandom(5, `threads/${thread}`)))
}

function shareOf(drawn: ReturnType<typeof draw>, fits: (chosen: (typeof drawn)[number]) => boolean): number {
  return drawn.filter(fits).length / drawn.length
}

describe('the threads of a generated mailbox', () => {
  it('are of every category by default', () => {
    const drawn = draw({ messages: [1, 8] })
    expect(new Set(drawn.map(({ kind }) => kind.category))).toEqual(new Set(mailCategories))
    expect(Math.max(...drawn.map(({ count }) => count))).toBe(8)
  })

  it('are conversations if every thread is long', () => {
    const drawn = draw({ messages: [3, 5] })
    expect(drawn.every(({ kind }) => !kind.oneWay)).toBe(true)
    expect(new Set(drawn.map(({ count }) => count))).toEqual(new Set([3, 4, 5]))
  })

  it('share a list of categories equally', () => {
    const drawn = draw({ messages: [1, 2], kinds: ['bounces', 'support', 'support'] })
    expect(new Set(drawn.map(({ kind }) => kind.category))).toEqual(new Set(['bounces', 'support']))
    expect(shareOf(drawn, ({ kind }) => kind.category === 'bounces')).toBeCloseTo(0.5, 1)
  })

  it('follow the weights of the categories and of their kinds', () => {
    const drawn = draw({ messages: 2, kinds: { spam: 3, receipts: 1, support: 0 } })
    expect(new Set(drawn.map(({ kind }) => kind.category))).toEqual(new Set(['spam', 'receipts']))
    expect(shareOf(drawn, ({ kind }) => kind.category === 'spam')).toBeCloseTo(0.75, 1)
    expect(shareOf(drawn, ({ kind }) => kind.name === 'cold-spam')).toBeCloseTo(0.75 * 0.75, 1)
  })

  it('have at most two messages if they are one-way', () => {
    const drawn = draw({ messages: [3, 8], kinds: { newsletters: 1, support: 1 } })
    expect(shareOf(drawn, ({ kind }) => kind.oneWay)).toBeCloseTo(0.5, 1)
    for (const { kind, count } of drawn) {
      if (kind.oneWay) expect(count).toBe(2)
      else expect(count).toBeGreaterThanOrEqual(3)
    }
  })
})
