import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { ScenarioError } from './problem.js'
import { readScenario } from './read-scenario.js'

/** Returns the error for a scenario of these files, without their folder. */
const refused = async (files: Readonly<Record<string, string>>, seed?: number): Promise<string> => {
  const folder = await folderOf(files)
  const error: unknown = await readScenario(`${folder}/inbox.ts`, { seed }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ScenarioError)
  return (error as ScenarioError).message.replaceAll(`${folder}/`, '')
}

describe('a module without a scenario', () => {
  const noExport = 'there is no default export; expected export default defineScenario({ … })'
  const expected = "; expected a scenario such as { scenario: 'my-inbox' }"

  it.each([
    ['export const scenario = 1', noExport],
    ['', noExport],
    ['export default 42', `the default export is a number${expected}`],
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

  it('is refused with the keys of a value that contains itself', async () => {
    const text =
      "const inbox: any = { scenario: 'inbox', identities: [] }; inbox.identities.push(inbox); export default inbox"
    expect(await refused({ 'inbox.ts': text })).toContain('inbox.ts: identities[0].identities: unknown key')
  })
})

const functionThrows = 'the function given to defineScenario throws'

describe('a failing module', () => {
  it.each<[title: string, message: string, text: string, others?: Record<string, string>]>([
    [
      'the place of a syntax error',
      'inbox.ts:3: the module throws Error: ParseError: Unexpected token',
      "import { a } from './a.ts'\n\nexport default { scenario: a, , }",
      { 'a.ts': 'export const a = "a"' },
    ],
    [
      'the place of a syntax error in an import',
      'people/ann.ts:4: the module throws Error: ParseError: Unexpected token, expected ";"',
      "import './people/ann.ts'",
      { 'people/ann.ts': 'interface Ann {\n  name: string\n\nexport const ann = 1' },
    ],
    [
      'its error and line',
      "inbox.ts:6: the module throws TypeError: Cannot read properties of null (reading 'name')",
      'interface Named {\n  name: string\n}\nconst ann = null as unknown as Named\n\nexport default ann.name',
    ],
    [
      'the error and line of an import',
      'lib/fail.js:3: the module throws RangeError: no reason',
      "import { fail } from './lib/fail.js'\nexport default fail('no reason\\nat all')",
      { 'lib/fail.js': '\nexport function fail(reason) {\n  throw new RangeError(reason)\n}' },
    ],
    ['a thrown text', 'inbox.ts: the module throws "a word"', "throw 'a word'"],
    [
      'the place of a missing import',
      "ann.ts:2: the module throws Error: Cannot find module './nmae.ts'",
      "import { ann } from './ann.ts'\nexport default { scenario: ann }",
      { 'ann.ts': "// Ann\nimport { name } from './nmae.ts'\nexport const ann = name" },
    ],
    [
      'the line that imports invalid JSON',
      'inbox.ts:2: the module throws SyntaxError: names.json: …',
      "\nimport names from './names.json'\nexport default names",
      { 'names.json': '[,]' },
    ],
    [
      'the error and line of its function',
      `inbox.ts:2: ${functionThrows} Error: seed 1`,
      "export default ({ seed }) => {\n  if (seed > 0) throw new Error('seed ' + seed)\n}",
    ],
    [
      'an asynchronous error of its function',
      `inbox.ts:3: ${functionThrows} Error: ENOENT…`,
      "import { readFile } from 'node:fs/promises'\nexport default async () => {\n  await readFile('/nowhere/at/all')\n}",
    ],
  ])('is reported with %s', async (_, message, text, others = {}) => {
    const found = await refused({ 'inbox.ts': text, ...others })
    const [start, ...rest] = message.split('…') as [string, ...string[]]
    expect(rest.length > 0 ? found.slice(0, start.length) : found).toBe(start)
  })

  it('is called with the seed that overrides the scenario', async () => {
    const text = "export default ({ seed }) => {\n  throw new Error('seed ' + seed)\n}"
    expect(await refused({ 'inbox.ts': text }, 12)).toBe(`inbox.ts:2: ${functionThrows} Error: seed 12`)
  })

  it('is reported with the thrown error as cause', async () => {
    const folder = await folderOf({ 'inbox.ts': "throw new TypeError('why')" })
    const error = await readScenario(`${folder}/inbox.ts`).catch((thrown) => thrown)
    expect(error.cause).toMatchObject({ name: 'TypeError', message: 'why' })
  })
})
