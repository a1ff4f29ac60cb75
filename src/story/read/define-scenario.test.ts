import { createSimulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import type { ScenarioInput } from '../format/scenario.js'
import { ScenarioError } from '../problems/problem.js'
import { defineScenario, type ScenarioContext, type ScenarioFunction } from './define-scenario.js'
import { readScenario } from './read-scenario.js'

const read = async (scenario: ScenarioInput | ScenarioFunction, seed?: number) =>
  await readScenario(scenario, seed)

const refused = async (scenario: unknown, seed?: number): Promise<string> => {
  const error: unknown = await read(scenario as ScenarioInput, seed).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ScenarioError)
  return (error as ScenarioError).message
}

/** A scenario whose description is the result of a function. */
const describing =
  (draw: (context: ScenarioContext) => string, input: Partial<ScenarioInput> = {}): ScenarioFunction =>
  (context) => ({ scenario: 'inbox', ...input, describe: draw(context) })

const described = async (
  draw: (context: ScenarioContext) => string,
  input?: Partial<ScenarioInput>,
  seed?: number,
): Promise<string | undefined> => (await read(describing(draw, input), seed)).describe

const names = ({ faker }: ScenarioContext): string =>
  Array.from({ length: 5 }, () => faker.person.fullName()).join()

describe('defineScenario', () => {
  it('returns its argument', () => {
    const input = { scenario: 'inbox' }
    expect(defineScenario(input)).toBe(input)
    const write = () => input
    expect(defineScenario(write)).toBe(write)
  })

  it('accepts async functions', async () => {
    const scenario = defineScenario(async ({ faker }) => ({ scenario: faker.word.noun() }))
    expect((await read(scenario)).scenario).toMatch(/^\w+$/)
  })

  it('draws reproducible values for a seed', async () => {
    const once = await described(names)
    expect(await described(names)).toBe(once)
    expect(await described(names, { seed: 1 })).toBe(once)
    const other = await described(names, { seed: 7 })
    expect(other).not.toBe(once)
    expect(await described(names, {}, 7)).toBe(other)
    expect(await described(names, { seed: 30 }, 7)).toBe(other)
  })

  it('never changes its values', async () => {
    const first = ({ faker }: ScenarioContext) => faker.string.numeric(12)
    const named = ({ fakerFor }: ScenarioContext) => fakerFor('ann').string.numeric(12)
    const drawn = [await described(first), await described(named), await described(named, { seed: 42 })]
    expect(drawn).toEqual(['530866367239', '335756298976', '175706059322'])
  })

  it('draws dates around the start', async () => {
    const soon = ({ faker }: ScenarioContext) => faker.date.soon({ days: 1 }).toISOString().slice(0, 4)
    expect(await described(soon)).toBe('2026')
    expect(await described(soon, { start: '2031-06-01T00:00:00Z' })).toBe('2031')
    const start = ({ start: at }: ScenarioContext) => at
    expect(await described(start)).toBe('2026-01-05T09:00:00.000Z')
    expect(await described(start, { start: '2031-06-01T02:00:00+02:00' })).toBe('2031-06-01T00:00:00.000Z')
  })

  it('draws in the language of the scenario', async () => {
    const language = ({ faker, fakerFor }: ScenarioContext) =>
      `${faker.definitions.metadata.code} ${fakerFor('ann').definitions.metadata.code}`
    expect(await described(language)).toBe('en en')
    expect(await described(language, { locale: 'de' })).toBe('de de')
  })

  it('draws reproducible values for a name, regardless of others', async () => {
    const ann = ({ fakerFor }: ScenarioContext) => fakerFor('ann').person.fullName()
    const alone = await described(ann)
    const among = await described((context) => {
      names(context)
      context.fakerFor('bob').person.fullName()
      return ann(context)
    })
    expect(among).toBe(alone)
    const thrice = await described((context) => `${ann(context)} ${ann(context)}`)
    expect(thrice).toBe(`${alone} ${alone}`)
    expect(await described(({ fakerFor }) => fakerFor('bob').person.fullName())).not.toBe(alone)
    expect(await described(ann, { seed: 2 })).not.toBe(alone)
  })

  it('lets a function seed its Faker', async () => {
    const seeded = (seed: number) =>
      described(({ faker }) => {
        faker.seed(seed)
        const once = faker.string.numeric(9)
        faker.person.fullName()
        faker.seed(seed)
        return faker.string.numeric(9) === once ? once : 'differs'
      })
    expect(await seeded(5)).toMatch(/^\d{9}$/)
    expect(await seeded(5)).not.toBe(await seeded(6))
  })
})

it('works with createSimulator', async () => {
  const scenario = defineScenario(({ seed, fakerFor }) => ({
    scenario: `inbox ${seed}`,
    seed: 3,
    identities: [{ handle: fakerFor('eva').string.alpha(8) }],
  }))
  const own = await createSimulator({ scenario })
  const other = await createSimulator({ scenario, seed: 4 })
  expect([own, other].map((simulator) => [simulator.scenario, simulator.seed])).toEqual([
    ['inbox 3', 3],
    ['inbox 4', 4],
  ])
  const [eva, another] = [own, other].map(({ identities }) => identities.list()[0]?.agent_handle)
  expect(eva).toMatch(/^[A-Za-z]{8}$/)
  expect(another).not.toBe(eva)
})

describe('the calls of a scenario function', () => {
  const callsOf = async (input: Partial<ScenarioInput>, seed?: number): Promise<string[]> => {
    const calls: string[] = []
    const note = (context: ScenarioContext): string => {
      const { faker, start } = context
      calls.push(`${context.seed} ${start.slice(0, 10)} ${faker.definitions.metadata.code}`)
      return ''
    }
    await described(note, input, seed)
    return calls
  }

  it('happen once with the default seed, start and language', async () => {
    expect(await callsOf({})).toEqual(['1 2026-01-05 en'])
    expect(await callsOf({ seed: 1, locale: 'en', start: '2026-01-05T10:00:00+01:00' })).toHaveLength(1)
  })

  it('happen twice with another seed, start or language', async () => {
    expect(await callsOf({ seed: 7 })).toEqual(['1 2026-01-05 en', '7 2026-01-05 en'])
    expect(await callsOf({ start: '2030-01-01', locale: 'fr' })).toEqual([
      '1 2026-01-05 en',
      '1 2030-01-01 fr',
    ])
  })

  it('use the seed that overrides the scenario', async () => {
    expect(await callsOf({ seed: 7 }, 9)).toEqual(['9 2026-01-05 en'])
    expect(await callsOf({ seed: 7, locale: 'ja' }, 9)).toEqual(['9 2026-01-05 en', '9 2026-01-05 ja'])
  })

  it('are refused if seed or start depend on the call', async () => {
    expect(await refused(({ seed }: ScenarioContext) => ({ scenario: 'inbox', seed: seed + 1 }))).toBe(
      'scenario: seed: expected a plain value; the function gave 2, and 3 when called with that',
    )
    const later = ({ start }: ScenarioContext) => ({
      scenario: 'inbox',
      start: `${Number(start.slice(0, 4)) + 1}-01-01`,
    })
    expect(await refused(later)).toBe(
      'scenario: start: expected a plain value; the function gave 2027-01-01T00:00:00.000Z, and 2028-01-01T00:00:00.000Z when called with that',
    )
  })

  it('happen once if seed, start or language are invalid', async () => {
    let calls = 0
    const write = () => {
      calls++
      return { scenario: 'inbox', seed: 'seven', start: 'soon', locale: 'xx' }
    }
    const problems = (await refused(write)).split('\n')
    expect(problems.map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual([
      'scenario: seed',
      'scenario: start',
      'scenario: locale',
    ])
    expect(calls).toBe(1)
  })
})

it('is refused with what it is, or with the error of its function', async () => {
  expect(await refused([])).toBe(
    "scenario: it is a list; expected a scenario such as { scenario: 'my-inbox' }",
  )
  const write = () => {
    throw new Error('no time')
  }
  expect(await refused(write)).toBe('scenario: the function given to defineScenario throws Error: no time')
})
