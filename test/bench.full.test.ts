import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf } from './support/temporary-folder.js'

const load = (file: string) => import(new URL(`../bench/${file}.mjs`, import.meta.url).href)
const { parseArguments, helpText } = await load('arguments')
const { bars, judge, tableOfBars } = await load('bars')
const { benchmarks } = await load('benchmarks/index')
const { bareNode } = await load('candidates')
const { figureOf, inTurns, ratioOf } = await load('rounds')
const { expectPage, pageOf, start } = await load('started')
const { markdownOf } = await load('table')

describe('the arguments', () => {
  it('select benchmarks, or all if there are none', () => {
    expect(parseArguments([])).toMatchObject({ names: Object.keys(benchmarks), quick: false })
    expect(parseArguments(['growth', 'http', 'http', '--quick']).names).toEqual(['http', 'growth'])
    for (const [name, { what }] of Object.entries<{ what: string }>(benchmarks)) {
      expect(helpText()).toMatch(new RegExp(`^  ${name} +${what}$`, 'm'))
    }
  })

  it('are refused with the known benchmarks', () => {
    const wrongUsage = expect.objectContaining({ exitStatus: 2 })
    expect(() => parseArguments(['htp'])).toThrow(/no benchmark "htp"; expected one of in-process, http,/)
    expect(() => parseArguments(['--fast'])).toThrow(/'--fast'\.\n.*--help/)
    expect(() => parseArguments(['--json'])).toThrow(wrongUsage)
  })
})

describe('figures', () => {
  it('are medians of rounds, compared round by round', () => {
    expect(figureOf([9, 100, 11], 'ms')).toEqual({ median: 11, least: 9, most: 100, unit: 'ms' })
    expect(ratioOf([10, 30, 20], [20, 60, 80])).toMatchObject({ median: 0.5, least: 0.25, most: 0.5 })
  })

  it('alternate between the candidates after a warm-up', async () => {
    const order: string[] = []
    const candidate = (name: string) => async () => order.push(name)
    const candidates = { ours: candidate('ours'), theirs: candidate('theirs') }
    const measured = await inTurns(candidates, { rounds: 2, warmUp: 1, progress: () => {} })
    // Another one begins each round.
    expect(measured).toEqual({ ours: [4, 5], theirs: [3, 6] })
  })
})

describe('bars', () => {
  const judged = (name: string, value: number, quick = false) =>
    judge({ [name]: figureOf([value], '×') }, { benchmarks: [bars[name].benchmark], quick }).find(
      (bar: { name: string }) => bar.name === name,
    )

  it('are met at their limit, but not checked in a quick run', () => {
    expect(judged('in-process', 0.9)).toMatchObject({ bar: '≤ 0.90', met: true })
    expect(judged('in-process', 0.91)).toMatchObject({ met: false })
    expect(judged('http.prism', 2.5)).toMatchObject({ bar: '≥ 2.50', met: true })
    expect(judged('http.prism', 2.4)).toMatchObject({ met: false })
    expect(judged('in-process', 9, true)).toMatchObject({ met: null })
    const rows = markdownOf(
      tableOfBars([judged('in-process', 0.95), ...judge({}, { benchmarks: ['import'] })]),
    )
    expect(rows).toMatch(/\| ≤ 0\.90 \| 0\.95 \| \*\*no\*\* \|\n.*\| ≤ 200 ms \| not measured \| – \|$/)
  })

  it('exist for exactly the benchmarks', () => {
    const named = new Set(Object.values<{ benchmark: string }>(bars).map(({ benchmark }) => benchmark))
    expect([...named].toSorted()).toEqual(Object.keys(benchmarks).toSorted())
  })
})

describe('a candidate', () => {
  it('is started, answers the page and ends when stopped', async () => {
    const folder = await folderOf()
    const page = { threads: [{ id: 'thrd_1' }], total: 1 }
    const server = await start(await bareNode(page, folder))
    onTestFinished(() => server.stop())
    expect(await pageOf(server)).toEqual(page)
    await expect(expectPage(server, { threads: [{ id: 'thrd_2' }], total: 1 })).rejects.toThrow(
      'bare node:http answers 1 threads that are not the 1',
    )
    await server.stop()
    await expect(fetch(server.url)).rejects.toThrow()
  })

  it('is refused with its output if it ends before it answers', async () => {
    const argumentsFor = () => ['-e', 'console.error("No such file."); process.exitCode = 1']
    await expect(start({ name: 'Nobody', path: '/', argumentsFor })).rejects.toThrow(
      /^Nobody ended before it answered.*No such file\.$/s,
    )
  })
})
