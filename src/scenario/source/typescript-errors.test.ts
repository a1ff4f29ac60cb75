import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { ScenarioError } from '../problems/problem.js'
import { readScenario } from './read-scenario.js'

/** What is said about a scenario of these files, without the folder they are in. */
const refused = async (files: Readonly<Record<string, string>>, seed?: number): Promise<string> => {
  const folder = await folderOf(files)
  const error: unknown = await readScenario(`${folder}/inbox.ts`, seed).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ScenarioError)
  return (error as ScenarioError).message.replaceAll(`${folder}/`, '')
}

const lines = (...texts: string[]): string => texts.join('\n')

describe('a module that is no scenario', () => {
  it.each([
    [
      'export const scenario = 1',
      'inbox.ts: there is no default export; expected export default defineScenario({ … })',
    ],
    [
      'module.exports = {}',
      'inbox.ts: there is no default export; expected export default defineScenario({ … })',
    ],
    ['', 'inbox.ts: there is no default export; expected export default defineScenario({ … })'],
    [
      'export default 42',
      "inbox.ts: the default export is a number; expected a scenario such as { scenario: 'my-inbox' }",
    ],
    [
      'export default undefined',
      "inbox.ts: the default export is undefined; expected a scenario such as { scenario: 'my-inbox' }",
    ],
    [
      'export default null',
      "inbox.ts: the default export is null; expected a scenario such as { scenario: 'my-inbox' }",
    ],
    [
      "export default ['a']",
      "inbox.ts: the default export is a list; expected a scenario such as { scenario: 'my-inbox' }",
    ],
    [
      'export default () => undefined',
      "inbox.ts: the function given to defineScenario returns undefined; expected a scenario such as { scenario: 'my-inbox' }",
    ],
    [
      "export default async () => 'inbox'",
      "inbox.ts: the function given to defineScenario returns a string; expected a scenario such as { scenario: 'my-inbox' }",
    ],
  ])('is refused: %s', async (text, message) => {
    expect(await refused({ 'inbox.ts': text })).toBe(message)
  })

  it('is told what its format lacks, with the path of the file and the key', async () => {
    const text = "export default { scenario: 'inbox', sead: 4, identities: [{ handle: 'two words' }] }"
    const told = (await refused({ 'inbox.ts': text })).split('\n')
    expect(told).toHaveLength(2)
    expect(told).toContain('inbox.ts: sead: unknown key; did you mean "seed"?')
    expect(told).toContainEqual(expect.stringMatching(/^inbox\.ts: identities\[0\]\.handle: expected /))
  })
})

describe('a module that fails', () => {
  it('is told where its syntax breaks', async () => {
    const text = lines("import { a } from './a.ts'", '', 'export default { scenario: a, , }')
    expect(await refused({ 'inbox.ts': text, 'a.ts': 'export const a = "a"' })).toBe(
      'inbox.ts:3:31: Unexpected token',
    )
  })

  it('is told where the syntax of a neighbour breaks', async () => {
    const text = "import './people/ann.ts'"
    const neighbour = lines('interface Ann {', '  name: string', '', 'export const ann = 1')
    expect(await refused({ 'inbox.ts': text, 'people/ann.ts': neighbour })).toBe(
      'people/ann.ts:4:8: Unexpected token, expected ";"',
    )
  })

  it('is told what it throws, and in which line', async () => {
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

  it('is told what a neighbour throws, in the line of the neighbour', async () => {
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
  ])('may throw anything: %s', async (text, message) => {
    expect(await refused({ 'inbox.ts': text })).toBe(message)
  })

  it('keeps what was thrown as the cause', async () => {
    const folder = await folderOf({ 'inbox.ts': "throw new TypeError('why')" })
    const error = await readScenario(`${folder}/inbox.ts`, undefined).catch((thrown) => thrown)
    expect(error.cause).toMatchObject({ name: 'TypeError', message: 'why' })
  })

  it('is told which import cannot be found', async () => {
    const files = {
      'inbox.ts': lines("import { ann } from './ann.ts'", 'export default { scenario: ann }'),
      'ann.ts': lines('// Ann', "import { name } from './nmae.ts'", 'export const ann = name'),
    }
    expect(await refused(files)).toBe('ann.ts:2:22: there is no module "./nmae.ts"')
    expect(await refused({ 'inbox.ts': "import 'no-such-package'" })).toBe(
      'inbox.ts:1:8: there is no package "no-such-package"; it has to be installed where this file finds it',
    )
  })

  it('is told of an import that fails when it is asked for', async () => {
    const text = lines('const name = "./late.ts"', '', 'await import(name)')
    expect(await refused({ 'inbox.ts': text })).toBe(
      "inbox.ts:3: the module throws Error: Cannot find module './late.ts'",
    )
  })

  it('is told that data is broken', async () => {
    const files = {
      'inbox.ts': lines('', "import names from './names.json'", 'export default names'),
      'names.json': '[,]',
    }
    expect(await refused(files)).toMatch(/^inbox\.ts:2: the module throws SyntaxError: names\.json: /)
  })
})

describe('a function that fails', () => {
  it('is told what it throws, and in which line', async () => {
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

  it('is told what it throws later', async () => {
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

  it('is told of templates Faker does not know', async () => {
    const text = lines('export default ({ faker }) => ({', '  scenario: faker.person.fulName(),', '})')
    expect(await refused({ 'inbox.ts': text })).toBe(
      'inbox.ts:2: the function given to defineScenario throws TypeError: faker.person.fulName is not a function',
    )
  })
})
