import { describe, expect, it } from 'vitest'
import { z } from '../../contract/schema.js'
import { formatProblems } from './explain.js'
import { keyOf, textOf } from './problem.js'

const explain = (schema: z.ZodType, value: unknown) =>
  formatProblems(schema, value).map(
    ({ path, message }) => (path.length > 0 ? `${keyOf(path)}: ` : '') + textOf(message),
  )

const direction = z.enum(['inbound', 'outbound'])
const many = z.enum(Array.from({ length: 40 }, (_, index) => `name-${index}`) as [string, ...string[]])
const file = z.union([z.string(), z.strictObject({ file: z.string(), size: z.int().optional() })])
const range = z.union([z.int(), z.tuple([z.int(), z.int()])])

describe('formatProblems', () => {
  it.each<[messages: string, schema: z.ZodType, value: unknown]>([
    ['expected text, found true; put it in quotes', z.string(), true],
    ['expected text, found the number 12.5; put it in quotes', z.string(), 12.5],
    ['expected text, found a list', z.string(), [1]],
    ['expected text, found nothing', z.string(), null],
    ['expected text, found something else', z.string(), 10n],
    ['expected a whole number, found the text "many"', z.int(), 'many'],
    ['expected a whole number, found an empty text', z.int(), ''],
    ['expected a whole number, found the text "50"; leave out the quotes', z.int(), '50'],
    ['expected a number, found a map', z.number(), {}],
    ['expected true or false, found the text "yes"', z.boolean(), 'yes'],
    ['expected true or false, found the text "true"; leave out the quotes', z.boolean(), 'true'],
    ['expected null, found the text "x"', z.null(), 'x'],
    ['expected inbound or outbound, found the number 3', direction, 3],
    ['expected a map, found a list', z.strictObject({}), []],
    ['expected a map, found the number 5', z.record(z.string(), z.int()), 5],
    ['expected a whole number or a list of 2, found the text "x"', range, 'x'],
    ['expected text or a map, found the number 5; put it in quotes', file, 5],
    ['expected a number, found .nan', z.number(), Number.NaN],
    ['expected text, found the number -.inf; put it in quotes', z.string(), Number.NEGATIVE_INFINITY],
    ['expected a whole number, found 1.5', z.int(), 1.5],
    ['expected a whole number of at least 1, found 0', z.int().min(1), 0],
    ['expected a number from 0.5 to 2, found 0.25', z.number().min(0.5).max(2), 0.25],
    ['expected a whole number of at most 10,000, found 12345', z.int().max(10_000), 12_345],
    ['expected a whole number of at most 9,007,199,254,740,991, found 1e+300', z.int(), 1e300],
    ['expected text, found an empty text', z.string().min(1), ''],
    ['expected a text of another length, found "ab"', z.string().min(3), 'ab'],
    ['expected at least one entry, found an empty list', z.array(z.int()).min(1), []],
    ['expected at least 3 entries, found [1, 2]', z.array(z.int()).min(3), [1, 2]],
    ['expected at most one entry, found a list of 2', z.array(z.array(z.int())).max(1), [[], []]],
    ['expected a list of 2, found [1, 2, 3]', range, [1, 2, 3]],
    ['expected inbound or outbound, found "outbond"; did you mean "outbound"?', direction, 'outbond'],
    ['expected true, found false', z.literal(true), false],
    [
      'expected one of 40 names such as name-0, name-1, name-2, found "name_7"; did you mean "name-7"?',
      many,
      'name_7',
    ],
    ['expected text in base64, found "#"', z.base64(), '#'],
    ['expected a URL, found "x"', z.url({ error: 'expected a URL' }), 'x'],
    ['expected an a, found "b"', z.string().regex(/^a/, 'expected an a'), 'b'],
    ['expected an a, found the number 5', z.string().regex(/^a/, 'expected an a'), 5],
    ['expected a multiple of 5, found 7', z.number().multipleOf(5), 7],
    [
      'b: this key does not fit: expected an a',
      z.record(z.string().regex(/^a/, 'expected an a'), z.int()),
      { b: 1 },
    ],
    ['b: this key does not fit here', z.record(z.string().min(3), z.int()), { b: 1 }],
    ['inbund: unknown key; did you mean "inbound"?', z.partialRecord(direction, z.int()), { inbund: 1 }],
    [
      'fil: unknown key; did you mean "file"? | size: expected a whole number, found the text "y"',
      file,
      { fil: 'x', size: 'y' },
    ],
    [
      '[0]: expected inbound or outbound, found "inbund"; did you mean "inbound"?',
      z.union([z.int(), z.array(direction)]),
      ['inbund'],
    ],
    ['expected a poem, found "x"', z.string().refine(() => false, { error: 'expected a poem' }), 'x'],
    ['expected a poem', z.strictObject({}).refine(() => false, { error: 'expected a poem' }), {}],
    ['is no poem', z.string().refine(() => false, { error: 'is no poem' }), 'x'],
    ['expected text, found "x"', z.string().refine(() => false), 'x'],
    [
      'a: is missing; expected a whole number: how many threads',
      z.strictObject({ a: z.int().describe('How many threads. Of any kind.') }),
      {},
    ],
    ['a: is missing; expected inbound or outbound', z.strictObject({ a: direction }), {}],
  ])('%s', (messages, schema, value) => {
    expect(explain(schema, value).join(' | ')).toBe(messages)
  })

  it('returns nothing for a valid value', () => {
    expect(explain(file, { file: 'x' })).toEqual([])
  })
})

describe('the shown value', () => {
  it('is one line of at most 40 characters', () => {
    const [message] = explain(z.int(), `one\n  two\t\u0007${'three '.repeat(20)}`)
    expect(message).toBe('expected a whole number, found the text "one two three three three three three t…"')
    expect(explain(direction, '👋'.repeat(60))[0]).toContain(`"${'👋'.repeat(39)}…"`)
  })

  it('is omitted if it is a secret', () => {
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
    text: z.string().optional(),
    to: z.string().optional(),
    html: z.string().optional(),
    eml: z.string().optional(),
  })
  const story = z.strictObject({ letters: z.array(letter), title: z.string().optional() })

  it('is reported with the nearest key and with problems in its value', () => {
    expect(explain(story, { leters: [{ form: 3 }], titel: 4 }).toSorted()).toEqual([
      'leters: unknown key; did you mean "letters"?',
      'leters[0].form: expected text, found the number 3; put it in quotes',
      'leters[0].form: unknown key; did you mean "from"?',
      'titel: expected text, found the number 4; put it in quotes',
      'titel: unknown key; did you mean "title"?',
    ])
  })

  it('has no further problems if the right key exists', () => {
    expect(explain(letter, { from: 'x', form: 3 })).toEqual(['form: unknown key; did you mean "from"?'])
  })

  it.each([
    ['hmtl', 'x', 'did you mean "html"?'],
    ['ml', 'x', 'did you mean "eml"?'],
    ['at', 'x', 'expected one of from, text, to, html, eml'],
    ['xyz', 'x', 'expected one of from, text, to, html, eml'],
    ['letters', [], 'it belongs to the scenario itself: letters'],
    ['letters', 'x', 'expected one of from, text, to, html, eml'],
    ['//', 'x', 'a comment begins with "#"'],
  ])('%s: %j: %s', (key, value, hint) => {
    const [message, ...others] = explain(story, { letters: [{ from: 'x', [key]: value }] })
    expect([message, others]).toEqual([`letters[0].${key}: unknown key; ${hint}`, []])
  })
})
