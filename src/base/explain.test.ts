import { describe, expect, it } from 'vitest'
import { mistakesIn } from './explain.js'
import { keyOf, textOf } from './mistake.js'
import { z } from './schema.js'

const explain = (schema: z.ZodType, value: unknown) =>
  mistakesIn(schema, value).map(
    ({ path, message }) => (path.length > 0 ? `${keyOf(path)}: ` : '') + textOf(message),
  )

const direction = z.enum(['inbound', 'outbound'])
const many = z.enum(Array.from({ length: 40 }, (_, index) => `name-${index}`) as [string, ...string[]])
const file = z.union([z.string(), z.strictObject({ file: z.string(), size: z.int().optional() })])
const range = z.union([z.int(), z.tuple([z.int(), z.int()])])
const a = z.string().regex(/^a/, 'expected an a')
const never = (error?: string) => z.string().refine(() => false, error === undefined ? {} : { error })

describe('mistakesIn', () => {
  it('says what was found, what would fit, and a remedy', () => {
    const cases: [z.ZodType, unknown][] = [
      ...[true, 12.5, [1], null, 10n, Number.NEGATIVE_INFINITY].map((value): [z.ZodType, unknown] => [
        z.string(),
        value,
      ]),
      ...['many', '', '50', 1.5, 1e300].map((value): [z.ZodType, unknown] => [z.int(), value]),
      [z.int().min(1), 0],
      [z.int().max(10_000), 12_345],
      [z.number().min(0.5).max(2), 0.25],
      [z.number(), Number.NaN],
      [z.boolean(), 'true'],
      [z.null(), 'x'],
      [z.strictObject({}), []],
      [z.string().min(1), ''],
      [z.string().min(3), 'ab'],
      [z.array(z.int()).min(1), []],
      [z.array(z.int()).min(3), [1, 2]],
      [z.array(z.array(z.int())).max(1), [[], []]],
      [range, 'x'],
      [range, [1, 2, 3]],
      [z.literal(true), false],
      [many, 'name_7'],
      [z.base64(), '#'],
      [z.record(a, z.int()), { b: 1 }],
      [z.record(z.string().min(3), z.int()), { b: 1 }],
      [z.partialRecord(direction, z.int()), { inbund: 1 }],
      [file, { fil: 'x', size: 'y' }],
      [z.union([z.int(), z.array(direction)]), ['inbund']],
      [
        z
          .string()
          .transform((text) => text.split(','))
          .pipe(z.array(direction)),
        'inbound,outbund',
      ],
      [never('expected a poem'), 'x'],
      [never('is no poem'), 'x'],
      [never(), 'x'],
      [z.strictObject({}).refine(() => false, { error: 'expected a poem' }), {}],
      [z.strictObject({ a: z.int().describe('How many threads. Of any kind.') }), {}],
      [z.strictObject({ a: direction }), {}],
      [file, { file: 'x' }],
    ]
    expect(cases.map(([schema, value]) => explain(schema, value).join(' | '))).toMatchInlineSnapshot(`
      [
        "expected text, found true; put it in quotes",
        "expected text, found 12.5; put it in quotes",
        "expected text, found a list",
        "expected text, found nothing",
        "expected text, found something else",
        "expected text, found -.inf; put it in quotes",
        "expected a whole number, found "many"",
        "expected a whole number, found an empty text",
        "expected a whole number, found "50"; leave out the quotes",
        "expected a whole number, found 1.5",
        "expected a whole number, found 1e+300",
        "expected a whole number of at least 1, found 0",
        "expected a whole number of at most 10,000, found 12345",
        "expected a number from 0.5 to 2, found 0.25",
        "expected a number, found .nan",
        "expected true or false, found "true"; leave out the quotes",
        "expected null, found "x"",
        "expected a map, found a list",
        "expected text, found an empty text",
        "expected text of at least 3 characters, found "ab"",
        "expected at least one entry, found an empty list",
        "expected at least 3 entries, found [1, 2]",
        "expected at most one entry, found a list of 2",
        "expected a whole number or a list of 2, found "x"",
        "expected a list of 2, found [1, 2, 3]",
        "expected true, found false",
        "expected one of 40 names such as name-0, name-1, name-2, found "name_7"; did you mean "name-7"?",
        "expected text in base64, found "#"",
        "b: this key does not belong here: expected an a",
        "b: this key does not belong here",
        "inbund: unknown key; did you mean "inbound"?",
        "size: expected a whole number, found "y" | fil: unknown key; did you mean "file"?",
        "[0]: expected inbound or outbound, found "inbund"; did you mean "inbound"?",
        "[1]: expected inbound or outbound, found "outbund"; did you mean "outbound"?",
        "expected a poem, found "x"",
        "is no poem",
        "expected text, found "x"",
        "expected a poem",
        "a: is missing; expected a whole number: how many threads",
        "a: is missing; expected inbound or outbound",
        "",
      ]
    `)
  })

  it('shows a value in one line of at most 40 characters', () => {
    const [message] = explain(z.int(), `one\n  two\t\u0007${'three '.repeat(20)}`)
    expect(message).toBe('expected a whole number, found "one two three three three three three t…"')
    expect(explain(direction, '👋'.repeat(60))[0]).toContain(`"${'👋'.repeat(39)}…"`)
  })

  it('shows no value of a secret', () => {
    const webhook = z.strictObject({
      auth_token: z.string().regex(/^\S+$/, 'expected a token without spaces'),
      api_keys: z.array(z.string()),
    })
    for (const secret of ['top secret', 7316, ['7316 secret'], { secret: 7316 }, 'api_keys: secret', true]) {
      const messages = [
        ...explain(webhook, { auth_token: secret, api_keys: [] }),
        ...explain(webhook, { auth_token: 'x', api_keys: secret }),
      ]
      expect(messages.length).toBeGreaterThan(0)
      expect(messages.join()).not.toMatch(/secret|7316/)
    }
  })
})

describe('a misspelled key', () => {
  const letter = z.strictObject({
    from: z.string(),
    ...Object.fromEntries(['text', 'to', 'html', 'eml'].map((key) => [key, z.string().optional()])),
  })
  const story = z.strictObject({ letters: z.array(letter), title: z.string().optional() })

  it('is reported with the nearest key and without its consequences', () => {
    expect(explain(story, { leters: [{ form: 3 }], titel: 4 })).toEqual([
      'leters: unknown key; did you mean "letters"?',
      'titel: unknown key; did you mean "title"?',
    ])
  })

  it('is the rest of a text without quotes, if it has words and no value', () => {
    expect(explain(story, { letters: [{ from: 'Ann', text: 'Yes', 'please send it.': null }] })).toEqual([
      'letters[0]["please send it."]: unknown key; inside { }, put a text that contains a comma in quotes',
    ])
  })

  it('has transposed letters rather than a missing one', () => {
    const mail = z.strictObject({ from: z.string(), forms: z.array(z.string()).optional() })
    expect(explain(mail, { form: 'Ann' })).toEqual(['form: unknown key; did you mean "from"?'])
  })

  it('has no other problems if the right key exists', () => {
    expect(explain(letter, { from: 'x', form: 3 })).toEqual(['form: unknown key; did you mean "from"?'])
  })

  it.each([
    ['hmtl', 'x', 'did you mean "html"?'],
    ['ml', 'x', 'did you mean "eml"?'],
    ['xyz', 'x', 'expected one of from, text, to, html, eml'],
    ['letters', 'x', 'expected one of from, text, to, html, eml'],
  ])('%s: %j: %s', (key, value, hint) => {
    const problems = explain(story, { letters: [{ from: 'x', [key]: value }] })
    expect(problems).toEqual([`letters[0].${key}: unknown key; ${hint}`])
  })
})
