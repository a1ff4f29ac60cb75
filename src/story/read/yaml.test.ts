import { describe, expect, it } from 'vitest'
import { readYaml } from './yaml.js'

const problemOf = (text: string) => {
  const { problem } = readYaml(text)
  return problem && `${problem.line}:${problem.column}: ${problem.message}`
}

describe('readYaml accepts a file', () => {
  it.each([
    [
      'with keys that look like numbers or null',
      '404: a\nnull: b\ntrue: c\n',
      { 404: 'a', null: 'b', true: 'c' },
    ],
    [
      'with words that are booleans in older YAML',
      '%YAML 1.1\n---\na: yes\nb: 2026-01-05\n',
      { a: 'yes', b: '2026-01-05' },
    ],
    ['with CRLF line ends and a byte order mark', '\uFEFFa: 1\r\nb: |\r\n  c\r\n', { a: 1, b: 'c\n' }],
    ['with brackets that close at the margin', 'a: [\n  1,\n]\nb: {\n}\n', { a: [1], b: {} }],
    ['in JSON, indented with tabs', '{\n\t"a": [\n\t\t1\n\t]\n}\n', { a: [1] }],
    ['with aliases', 'a: &a { b: 1 }\nc: *a\n', { a: { b: 1 }, c: { b: 1 } }],
    [
      'with braces in the middle of a text',
      'a: Order {{string.numeric(6)}}\n',
      { a: 'Order {{string.numeric(6)}}' },
    ],
    ['with known tags', 'a: !!str 404\n', { a: '404' }],
    ['with the key __proto__', '__proto__: 1\n', JSON.parse('{ "__proto__": 1 }')],
    ['with 2,000 aliases', `a: &a [1]\nb: [${'*a, '.repeat(2_000)}]\n`, expect.anything()],
    ['with brackets within brackets', `${'['.repeat(90)}${']'.repeat(90)}`, expect.anything()],
  ])('%s', (_, text, value) => {
    expect(problemOf(text)).toBeUndefined()
    expect(readYaml(text).value).toEqual(value)
  })
})

describe('the problem of an invalid file', () => {
  it.each([
    ['- a\nb: 1\n', expect.stringMatching(/^2:1: a text with brackets/)],
    ['a:\n    - 1\n  - 2\n', expect.stringMatching(/^3:3: .*or the next line is indented/)],
    [
      '{ "a": 1 "b": 2 }',
      '1:8: expected a comma, or separate brackets around this: [a, b] or { key: value }',
    ],
    ['? [a]\n: b\n', '1:3: a list or a map is used where a key is expected'],
    ['a\0: 1\0', '1:2: this is not UTF-8 text; save the file as UTF-8'],
    ['a: &a\n  b: [*a]\n', '2:7: a value contains itself'],
    ['a: *b\n', '1:4: an alias needs its anchor ("&" and the same name) above it'],
    ['['.repeat(10_000), expect.stringMatching(/^1:\d+: lists and maps are nested too deeply here$/)],
  ])('has its place: %#', (text, problem) => {
    expect(problemOf(text)).toEqual(problem)
  })

  it('is the first, without its consequences', () => {
    expect(problemOf('a: @x\n\te: 1\nb: { c: Order {{x}}, d: 1 }\n')).toMatch(/^1:4: a text with brackets/)
  })
})

describe('locate', () => {
  const { locate } = readYaml('a:\n  - b: &x { c: 1 }\n  - *x\nd:\n')

  it.each([
    [['a', 0, 'b', 'c'], 'value', '2:16'],
    [['a', 0, 'b', 'c'], 'key', '2:13'],
    [['a', 0, 'b'], 'key', '2:5'],
    [['a', 1, 'c'], 'value', '2:16'],
    [['a', 1], 'value', '3:5'],
    [['a', 0, 'missing'], 'value', '2:5'],
    [['d'], 'value', '4:1'],
    [['missing', 'too'], 'value', '1:1'],
    [[], 'value', '1:1'],
  ] as const)('finds %j, its %s: %s', (path, part, place) => {
    const { line, column } = locate(path, part) ?? {}
    expect(`${line}:${column}`).toBe(place)
  })
})
