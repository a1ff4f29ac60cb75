import { describe, expect, it } from 'vitest'

const load = (file: string) => import(new URL(`../../bench/figures/${file}.mjs`, import.meta.url).href)
const { median, figureOf, ratioOf, largestOf } = await load('spread')
const { inTurns } = await load('rounds')
const { table, markdownOf } = await load('table')
const { bars, judge, tableOfBars } = await load('bars')

describe('figures of several rounds', () => {
  it('are the median with the least and the most', () => {
    expect(figureOf([9, 100, 11], 'ms')).toEqual({ median: 11, least: 9, most: 100, unit: 'ms' })
    expect(median([4, 1, 3, 2])).toBe(2.5)
  })

  it('compare round by round, so that a slow round is slow for both', () => {
    expect(ratioOf([10, 30, 20], [20, 60, 80])).toEqual({ median: 0.5, least: 0.25, most: 0.5, unit: '×' })
  })

  it('are largest by their median', () => {
    const [calm, wild] = [figureOf([5], 'ms'), figureOf([1, 2, 99], 'ms')]
    expect(largestOf([wild, calm, wild])).toBe(calm)
  })
})

describe('rounds', () => {
  const recorded = () => {
    const order: string[] = []
    const candidate = (name: string) => async () => order.push(name)
    return { order, candidates: { ours: candidate('ours'), theirs: candidate('theirs') } }
  }

  it('take the candidates in turns', async () => {
    const { order, candidates } = recorded()
    await inTurns(candidates, { rounds: 2, progress: () => {} })
    expect(order).toEqual(['ours', 'theirs', 'ours', 'theirs'])
  })

  it('leave out what only warmed up', async () => {
    const { candidates } = recorded()
    const measured = await inTurns(candidates, { rounds: 2, warmUp: 1, progress: () => {} })
    expect(measured).toEqual({ ours: [3, 5], theirs: [4, 6] })
  })

  it('tell where they are', async () => {
    const said: string[] = []
    const progress = (text: string) => said.push(text)
    await inTurns({ ours: () => 1 }, { rounds: 2, warmUp: 1, progress })
    expect(said).toEqual(['warming up: ours', 'round 1 of 2: ours', 'round 2 of 2: ours'])
  })
})

describe('a table', () => {
  const cell = (value: unknown) =>
    markdownOf(table(['what'], [[value]]))
      .split('\n')
      .at(-1)

  it('is Markdown', () => {
    const lines = ['| what | time |', '| --- | --- |', '| list | 163 µs (151–190) |']
    expect(markdownOf(table(['what', 'time'], [['list', figureOf([151, 163, 190], 'µs')]]))).toBe(
      lines.join('\n'),
    )
  })

  it.each([
    [1_006_268, '| 1,006,268 |'],
    [figureOf([0.618], '×'), '| 0.62 |'],
    [figureOf([24.06], 'µs'), '| 24.1 µs |'],
    [figureOf([9_000, 18_300, 20_000], 'ms'), '| 18.3 s (9–20) |'],
    [figureOf([494.7], 'B'), '| 495 B |'],
    [figureOf([745_168_896], 'B'), '| 745 MB |'],
    [figureOf([0], ''), '| 0 |'],
  ])('shows %o as %s', (value, shown) => {
    expect(cell(value)).toBe(shown)
  })
})

describe('bars', () => {
  const judged = (name: string, value: number) =>
    judge({ [name]: figureOf([value], '×') }, { benchmarks: [bars[name].benchmark], quick: false }).find(
      (bar: { name: string }) => bar.name === name,
    )

  it('are met up to their limit', () => {
    expect(judged('in-process', 0.65)).toMatchObject({ bar: '≤ 0.65', value: 0.65, met: true })
    expect(judged('in-process', 0.66)).toMatchObject({ met: false })
  })

  it('are met from their limit on, where more is better', () => {
    expect(judged('http.prism', 2.5)).toMatchObject({ bar: '≥ 2.50', value: 2.5, met: true })
    expect(judged('http.prism', 2.4)).toMatchObject({ met: false })
  })

  it('are neither met nor missed by what was not measured, or measured quickly', () => {
    const [unmeasured] = judge({}, { benchmarks: ['in-process'], quick: false })
    expect(unmeasured).toMatchObject({ value: null, met: null })
    const [quick] = judge({ 'in-process': figureOf([9], '×') }, { benchmarks: ['in-process'], quick: true })
    expect(quick).toMatchObject({ value: 9, met: null })
  })

  it('are those of the benchmarks that ran', () => {
    const names = judge({}, { benchmarks: ['import', 'cold-start'], quick: false }).map(
      ({ name }: { name: string }) => name,
    )
    expect(names).toEqual(['cold-start', 'cold-start.support-desk', 'import'])
  })

  it('stand in a table with what was measured', () => {
    const rows = markdownOf(
      tableOfBars([judged('in-process', 0.7), ...judge({}, { benchmarks: ['import'] })]),
    )
    expect(rows).toMatch(/\| ≤ 0\.65 \| 0\.70 \| \*\*no\*\* \|\n.*\| ≤ 150 ms \| not measured \| – \|$/)
  })
})
