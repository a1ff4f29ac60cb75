import { createSimulator } from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import type { ScenarioInput } from '../format/scenario.js'
import { defineScenario, type ScenarioContext, type ScenarioFunction } from './define-scenario.js'
import { ScenarioError } from './problem.js'
import { readScenario } from './read-scenario.js'

const read = async (scenario: ScenarioInput | ScenarioFunction, seed?: number) =>
  await readScenario(scenario, { seed })

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
  it('accepts async functions', async () => {
    const scenario = defineScenario(async ({ faker }) => ({ scenario: faker.word.noun() }))
    expect((await read(scenario)).scenario).toMatch(/^\w+$/)
  })

  it('draws reproducible values for a seed', async () => {
    const once = await described(names)
    expect(await described(names)).toBe(once)
    expect(await described(names, { seed: 1 })).toBe(once)
    const other = await described(names, {}, 7)
    expect(other).not.toBe(once)
    expect(await described(names, { seed: 30 }, 7)).toBe(other)
  })

  it('never changes its values', async () => {
    const first = ({ faker }: ScenarioContext) => faker.string.numeric(12)
    const named = ({ fakerFor }: ScenarioContext) => fakerFor('ann').string.numeric(12)
    const drawn = [await described(first), await described(named), await described(named, {}, 42)]
    expect(drawn).toEqual(['530866367239', '335756298976', '175706059322'])
  })

  it('draws dates around the start', async () => {
    const soon = ({ faker }: ScenarioContext) => faker.date.soon({ days: 1 }).toISOString().slice(0, 4)
    expect(await described(soon)).toBe('2026')
    const start = ({ start: at }: ScenarioContext) => at
    expect(await described(start)).toBe('2026-01-05T09:00:00.000Z')
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
    expect(await described(ann, {}, 2)).not.toBe(alone)
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
    ['inbox 1', 3],
    ['inbox 4', 4],
  ])
  const [eva, another] = [own, other].map(({ identities }) => identities.list()[0]?.agent_handle)
  expect(eva).toMatch(/^[A-Za-z]{8}$/)
  expect(another).not.toBe(eva)
})

describe('a scenario function', () => {
  it('is called once, with the seed that is asked for and the default start', async () => {
    const calls: string[] = []
    const note = ({ seed, start }: ScenarioContext): string => {
      calls.push(`${seed} ${start.slice(0, 10)}`)
      return ''
    }
    await described(note)
    await described(note, { seed: 7, start: '2030-01-01', locale: 'fr' })
    await described(note, { seed: 7 }, 9)
    expect(calls).toEqual(['1 2026-01-05', '1 2026-01-05', '9 2026-01-05'])
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
