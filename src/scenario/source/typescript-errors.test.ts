import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { ScenarioError } from '../problems/problem.js'
import { readScenario } from './read-scenario.js'

/** Returns the error for a scenario of these files, without their folder. */
const refused = async (files: Readonly<Record<string, string>>, seed?: number): Promise<string> => {
  const folder = await folderOf(files)
  const error: unknown = await readScenario(`${folder}/inbox.ts`, seed).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ScenarioError)
  return (error as ScenarioError).message.replaceAll(`${folder}/`, '')
}

const lines = (...texts: string[]): string => texts.join('\n')

describe('a module without a scenario', () => {
  const noExport = 'there is no default export; expected export default defineScenario({ … })'
  const expected = "; expected a scenario such as { scenario: 'my-inbox' }"

  it.each([
    ['export const scenario = 1', noExport],
    ['module.exports = {}', noExport],
    ['', noExport],
    ['export default 42', `the default export is a number${expected}`],
    ['export default undefined', `the default export is undefined${expected}`],
    ['export default null', `the default export is null${expected}`],
    ["export default ['a']", `the default export is a list${expected}`],
    ['export default () => undefined', `the function given to defineScenario returns undefined${expected}`],
    [
      "export default async () => 'inbox'",
      `the function given to defineScenario returns a string${expected}`,
    ],
  ])('is refused: %s', async (text, message) => {
    expect(await refused({ 'inbox.ts': text })).toBe(`inbox.ts: ${message}`)
  })

  it('is refused with path and key for problems of the format', async () => {
    const text = "export default { scenario: 'inbox', sead: 4, identities: [{ handle: 'two words' }] }"
    const problems = (await refused({ 'inbox.ts': text })).split('\n')
    expect(problems).toHaveLength(2)
    expect(problems).toContain('inbox.ts: sead: unknown key; did you mean "seed"?')
    expect(problems).toContainEqual(expect.stringMatching(/^inbox\.ts: identities\[0\]\.handle: expected /))
  })
})

describe('a failing module', () => {
  it('is reported with the place of a syntax error', async () => {
    const text = lines("import { a } from './a.ts'", '', 'export default { scenario: a, , }')
    expect(await refused({ 'inbox.ts': text, 'a.ts': 'export const a = "a"' })).toBe(
      'inbox.ts:3:31: Unexpected token',
    )
  })

  it('is reported with the place of a syntax error in an import', async () => {
    const text = "import './people/ann.ts'"
    const neighbour = lines('interface Ann {', '  name: string', '', 'export const ann = 1')
    expect(await refused({ 'inbox.ts': text, 'people/ann.ts': neighbour })).toBe(
      'people/ann.ts:4:8: Unexpected token, expected ";"',
    )
  })

  it('is reported with its error and line', async () => {
    const text = lines(
      'interface Named {',
      '  name: string',
      '}',
      'const nobody = null as unknown as Named',
      '',
      'export default nobody.name',
    )
    expect(await refused({ 'inbox.ts': text })).toBe(
      "inbox.ts:6: the module throws TypeError: Cannot read properties of null (reading 'name')",
    )
  })

  it('is reported with the error and line of an import', async () => {
    const files = {
      'inbox.ts': lines("import { fail } from './lib/fail.js'", "export default fail('no reason\\nat all')"),
      'lib/fail.js': lines('', 'export function fail(reason) {', '  throw new RangeError(reason)', '}'),
    }
    expect(await refused(files)).toBe('lib/fail.js:3: the module throws RangeError: no reason')
  })

  it.each([
    ["throw 'a word'", 'inbox.ts: the module throws "a word"'],
    ['throw undefined', 'inbox.ts: the module throws undefined'],
    ['throw new Error()', 'inbox.ts:1: the module throws Error'],
  ])('can throw anything: %s', async (text, message) => {
    expect(await refused({ 'inbox.ts': text })).toBe(message)
  })

  it('is reported with the thrown error as cause', async () => {
    const folder = await folderOf({ 'inbox.ts': "throw new TypeError('why')" })
    const error = await readScenario(`${folder}/inbox.ts`, undefined).catch((thrown) => thrown)
    expect(error.cause).toMatchObject({ name: 'TypeError', message: 'why' })
  })

  it('is reported with the place of a missing import', async () => {
    const files = {
      'inbox.ts': lines("import { ann } from './ann.ts'", 'export default { scenario: ann }'),
      'ann.ts': lines('// Ann', "import { name } from './nmae.ts'", 'export const ann = name'),
    }
    expect(await refused(files)).toBe('ann.ts:2:22: there is no module "./nmae.ts"')
    expect(await refused({ 'inbox.ts': "import 'no-such-package'" })).toBe(
      'inbox.ts:1:8: there is no package "no-such-package"; it has to be installed where this file finds it',
    )
  })

  it('is reported with the line of a failing dynamic import', async () => {
    const text = lines('const name = "./late.ts"', '', 'await import(name)')
    expect(await refused({ 'inbox.ts': text })).toBe(
      "inbox.ts:3: the module throws Error: Cannot find module './late.ts'",
    )
  })

  it('is reported with the line that imports invalid JSON', async () => {
    const files = {
      'inbox.ts': lines('', "import names from './names.json'", 'export default names'),
      'names.json': '[,]',
    }
    expect(await refused(files)).toMatch(/^inbox\.ts:2: the module throws SyntaxError: names\.json: /)
  })
})

describe('a failing function', () => {
  it('is reported with its error and line', async () => {
    const text = lines(
      'export default ({ seed }) => {',
      "  if (seed > 0) throw new Error('seed ' + seed)",
      '}',
    )
    expect(await refused({ 'inbox.ts': text })).toBe(
      'inbox.ts:2: the function given to defineScenario throws Error: seed 1',
    )
    expect(await refused({ 'inbox.ts': text }, 12)).toBe(
      'inbox.ts:2: the function given to defineScenario throws Error: seed 12',
    )
  })

  it('is reported with an asynchronous error', async () => {
    const text = lines(
      "import { readFile } from 'node:fs/promises'",
      'export default async () => {',
      "  await readFile('/nowhere/at/all')",
      '}',
    )
    expect(await refused({ 'inbox.ts': text })).toMatch(
      /^inbox\.ts:3: the function given to defineScenario throws Error: ENOENT/,
    )
  })

  it('is reported with an unknown Faker method', async () => {
    const text = lines('export default ({ faker }) => ({', '  scenario: faker.person.fulName(),', '})')
    expect(await refused({ 'inbox.ts': text })).toBe(
      'inbox.ts:2: the function given to defineScenario throws TypeError: faker.person.fulName is not a function',
    )
  })
})
