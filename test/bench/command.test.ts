import { describe, expect, it } from 'vitest'

const load = (file: string) => import(new URL(`../../bench/${file}.mjs`, import.meta.url).href)
const { parseArguments, helpText } = await load('command/arguments')
const { benchmarks } = await load('benchmarks/index')
const { bars } = await load('figures/bars')

describe('what is asked for', () => {
  it('is every benchmark where none is named', () => {
    expect(parseArguments([])).toMatchObject({ names: Object.keys(benchmarks), quick: false, help: false })
  })

  it('is what is named, each once and in the usual order', () => {
    const { names } = parseArguments(['growth', 'http', 'http', '--quick'])
    expect(names).toEqual(['http', 'growth'])
  })

  it.each([
    [['htp'], /There is no benchmark "htp"; there is in-process, http,/],
    [['--fast'], /'--fast'\.\n.*--help/],
    [['--json'], /--json.*\n.*--help/],
  ])('is refused where there is no such thing: %j', (args, message) => {
    const refused = () => parseArguments(args)
    expect(refused).toThrow(message)
    expect(refused).toThrow(expect.objectContaining({ exitStatus: 2 }))
  })

  it('is explained by the help, benchmark by benchmark', () => {
    for (const [name, { what }] of Object.entries<{ what: string }>(benchmarks)) {
      expect(helpText()).toMatch(new RegExp(`^  ${name} +${what}$`, 'm'))
    }
  })
})

it('every bar is one of a benchmark, and every benchmark has a bar', () => {
  const named = new Set(Object.values<{ benchmark: string }>(bars).map(({ benchmark }) => benchmark))
  expect([...named].toSorted()).toEqual(Object.keys(benchmarks).toSorted())
})
