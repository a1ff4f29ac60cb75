import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { type Gap, namesOfAssumptions } from '../src/contract/gaps/gap.js'
import { gapIds, gaps } from '../src/contract/gaps.js'
import { createScenarioJsonSchema, type JsonSchema, scenarioSchema } from '../src/story/format/scenario.js'
import { brokenFiles, everything, shippedFiles } from './scenario-examples.js'

const schema = createScenarioJsonSchema()

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
formats.default(ajv)
const fits = ajv.compile(schema)

/** Returns the violations found by an independent validator. */
function validate(value: unknown): string[] {
  if (fits(value)) return []
  return (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** Every schema in a schema, with the path to it. */
function* within(part: unknown, path = ''): Generator<[string, JsonSchema]> {
  if (typeof part !== 'object' || part === null) return
  if (!Array.isArray(part)) yield [path, part as JsonSchema]
  for (const [key, value] of Object.entries(part)) yield* within(value, `${path}/${key}`)
}

/** Yields copies of a value with one part removed or replaced. */
function* variations(value: unknown): Generator<unknown> {
  for (const other of [null, 0, 1.5, -1, '', 'x y', true, [], {}, { x: 1 }]) yield other
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    const without = Array.isArray(value)
      ? value.filter((item) => item !== child)
      : { ...value, [key]: undefined }
    yield JSON.parse(JSON.stringify(without))
    for (const other of variations(child)) {
      yield Array.isArray(value)
        ? value.map((item) => (item === child ? other : item))
        : { ...value, [key]: other }
    }
  }
}

const issuesOf = (value: unknown): string[] => {
  return scenarioSchema.safeParse(value).error?.issues.map(({ message }) => message) ?? []
}
const accepts = (value: unknown): boolean => issuesOf(value).length === 0

describe('the JSON Schema of scenarios', () => {
  it('is a 2020-12 schema with a title and without an $id', () => {
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
    expect(schema.title).toContain('agent-mailbox-sim')
    expect(schema).not.toHaveProperty('$id')
  })

  it('explains every key', () => {
    const properties = [...within(schema)].flatMap(([path, { properties = {} }]) => {
      return Object.entries(properties as Record<string, JsonSchema>).map(([key, { description }]) => {
        return [`${path}/${key}`, description] as const
      })
    })
    expect(properties.length).toBeGreaterThan(150)
    expect(properties.filter(([, description]) => !description?.match(/^\S.+[.?]$/))).toEqual([])
  })

  it('refers to exactly its definitions', () => {
    const references = new Set([...within(schema)].flatMap(([, { $ref }]) => ($ref ? [$ref] : [])))
    const defined = Object.keys(schema.$defs ?? {}).map((name) => `#/$defs/${name}`)
    expect([...references].sort()).toEqual(defined.sort())
  })

  it('has the defaults of the format', () => {
    const { scenario: _, ...defaults } = scenarioSchema.parse({ scenario: 'x' })
    for (const [key, { default: value }] of Object.entries(schema.properties as Record<string, JsonSchema>)) {
      if (key in defaults && key !== 'organization') {
        expect([key, value]).toEqual([key, defaults[key as keyof typeof defaults]])
      }
    }
  })

  it('accepts the shipped scenarios', () => {
    expect(shippedFiles().map(([name, scenario]) => [name, ...validate(scenario)])).toEqual(
      shippedFiles().map(([name]) => [name]),
    )
  })

  it('refuses broken files of a wrong shape', () => {
    const accepted = brokenFiles().filter(([, scenario]) => !accepts(scenario) && fits(scenario))
    expect(accepted).toEqual([])
    expect(brokenFiles().filter(([, scenario]) => !fits(scenario)).length).toBeGreaterThan(10)
  })

  it('accepts every key of the format', () => {
    expect(accepts(everything)).toBe(true)
    expect(validate(everything)).toEqual([])
  })

  it('agrees with the format except for checks in code', () => {
    // Every seventh of the ten values at each place; its neighbours have the others.
    const some = [...variations(everything)].filter((_, index) => index % 7 === 0)
    const verdicts = some.map((value) => ({ value, accepted: accepts(value), fits: fits(value) }))
    expect(verdicts.filter(({ accepted }) => accepted).length).toBeGreaterThan(35)
    expect(verdicts.filter(({ accepted }) => !accepted).length).toBeGreaterThan(200)
    const wrongly = verdicts.filter(({ accepted, fits }) => accepted && !fits)
    // They are refused, too, but only when the scenario is loaded.
    const laterToo =
      /^\/(timeline\/\d+\/)?assume\b|\/attachments\/\d|^\/expect\/\d+\/(request|reliances)|\/fault\/operation|\/when\/request/
    const only = wrongly.flatMap(({ value }) => validate(value)).filter((error) => !laterToo.test(error))
    expect(only).toEqual([])
    const missed = verdicts.filter(({ accepted, fits }) => !accepted && fits)
    const onlyInCode = ['"at_least" is more than "at_most"', 'expected at least one weight above 0']
    const other = missed
      .flatMap(({ value }) => issuesOf(value))
      .filter((issue) => !onlyInCode.includes(issue))
    expect(other).toEqual([])
  })
})

describe('texts in the JSON Schema', () => {
  const spans = ['2d', '-2d', '1h30m', '1.5h', '250ms', '0s', '5', 'd', '1d-2h', '2 d', '1D', '', '-']
  const days = [
    '2026-01-05',
    '2026-01-05T09:00Z',
    '2026-01-05T09:00:00.25+01:00',
    '2026-01-05T09:00:00',
    '2026-13-05',
    '2026-01-32',
    'soon',
  ]
  const addresses = [
    'a@b',
    'a@b.example',
    'Ann <a@b.example>',
    'ab',
    '@b',
    'a@',
    'a@b@c',
    'a b@c',
    'ü@b.example',
    '*@b.example',
    '*@*',
    '*',
  ]
  const handles = ['support', 'a.b-c_D9', '@support', 'two words', 'x'.repeat(64), 'x'.repeat(65)]

  it('are checked like those of the format', () => {
    const identity = { handle: 'x' }
    const scenarios = [...spans, ...days, ...addresses, ...handles].flatMap((text) => [
      { start: text },
      { identities: [{ ...identity, created_at: text }] },
      { identities: [{ ...identity, generate: { threads: 1, over: text } }] },
      { identities: [{ ...identity, mailbox_address: text }] },
      { bounces: [text] },
      { identities: [{ handle: text }] },
      { identities: [{ ...identity, threads: [{ key: text, messages: [{ eml: text }] }] }] },
      { timeline: [{ after: text, clear_faults: true }] },
      { timeline: [{ after: '1s', fault: { delay: text } }] },
      { webhooks: [{ url: text, events: ['message.received'] }] },
    ])
    const values = scenarios.map((scenario) => ({ scenario: 'x', ...scenario }))
    expect(values.filter((value) => fits(value) !== accepts(value))).toEqual([])
  })
})

describe('the assumptions in the JSON Schema', () => {
  const assumptions = schema.$defs?.['assumptions']?.properties as Record<string, JsonSchema>

  it('list those of every gap', () => {
    for (const id of gapIds) {
      const { question }: Gap = gaps[id]
      const known = namesOfAssumptions(gaps[id])
      const { description, enum: offered = [], default: chosen } = assumptions[id] ?? {}
      expect(description).toBe(question)
      expect(offered.filter((name) => typeof name === 'string')).toEqual(known)
      expect(chosen, id).toBe(known[0])
      for (const name of known) expect(validate({ scenario: 'x', assume: { [id]: name } })).toEqual([])
    }
  })

  it.each([
    [{ 'threads.totl': 'page-size' }],
    [{ 'threads.total': 'most' }],
    [{ 'auth.missing-status': 404 }],
  ])('refuse %j, even in a timeline', (choices) => {
    expect(validate({ scenario: 'x', assume: choices })).not.toEqual([])
    expect(validate({ scenario: 'x', timeline: [{ after: '1s', assume: choices }] })).not.toEqual([])
  })
})
