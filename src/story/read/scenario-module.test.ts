import { readdir } from 'node:fs/promises'
import * as library from 'agent-mailbox-sim'
import { describe, expect, it } from 'vitest'
import { folderOf, writeInto } from '../../../test/support/temporary-folder.js'
import type { Scenario } from '../format/scenario.js'
import { ScenarioError } from './problem.js'
import { readScenario } from './read-scenario.js'

const read = async (path: string): Promise<Scenario> => await readScenario(path)

const subjectsOf = async (path: string): Promise<(string | undefined)[]> =>
  (await read(path)).identities.flatMap(({ threads }) => threads.map(({ subject }) => subject))

/** Returns the source of a scenario with a thread for every subject. */
const inbox = (head: string, subjects: string): string =>
  [
    "import { defineScenario } from 'agent-mailbox-sim'",
    head,
    'export default defineScenario({',
    "  scenario: 'inbox',",
    '  identities: [',
    '    {',
    "      handle: 'eva',",
    `      threads: (${subjects}).map((subject) => ({ subject, messages: [{ text: 'Hello' }] })),`,
    '    },',
    '  ],',
    '})',
  ].join('\n')

describe('a scenario in TypeScript', () => {
  it('is loaded from a folder without the package', async () => {
    const folder = await folderOf({
      'inbox.ts': inbox(
        'interface Topic { readonly about: string }\nenum Mood { Calm, Angry }\nconst topics: Topic[] = [{ about: Mood[1] }]',
        'topics.map(({ about }) => about satisfies string)',
      ),
    })
    const { scenario, seed } = await read(`${folder}/inbox.ts`)
    expect({ scenario, seed }).toEqual({ scenario: 'inbox', seed: 1 })
    expect(await subjectsOf(`${folder}/inbox.ts`)).toEqual(['Angry'])
    expect(await readdir(folder)).toEqual(['inbox.ts'])
  })

  it.each(['inbox.mts', 'inbox.js', 'inbox.mjs'])('can be named %s', async (name) => {
    const folder = await folderOf({ [name]: inbox('', "['Hello']") })
    expect(await subjectsOf(`${folder}/${name}`)).toEqual(['Hello'])
  })

  it('imports the same instance of the package that loads it', async () => {
    const folder = await folderOf({
      'inbox.ts': [
        "import * as library from 'agent-mailbox-sim'",
        'globalThis.libraryOfScenario = { ...library }',
        "export default { scenario: 'inbox' }",
      ].join('\n'),
    })
    await read(`${folder}/inbox.ts`)
    const { libraryOfScenario = {} } = globalThis as { libraryOfScenario?: object }
    const { defineExtension, gaps, WorldError } = library
    expect(libraryOfScenario).toMatchObject({ ScenarioError, WorldError, defineExtension, gaps })
    expect(library).toMatchObject(libraryOfScenario)
  })

  it('imports neighboring files and packages', async () => {
    const folder = await folderOf({
      'inbox.ts': inbox(
        [
          "import { ann } from './people/ann.ts'",
          "import { bob } from './people/bob.js'",
          "import { cem } from './people/cem.mjs'",
          "import dan from './people/dan.cjs'",
          "import { eve } from './people/eve'",
          "import names from './names.json' with { type: 'json' }",
          "import { last } from 'last-package'",
          "import { sep } from 'node:path'",
          "const { late } = await import('./people/late.ts')",
        ].join('\n'),
        "[ann, bob, cem, dan.dan, eve, ...names, last, sep ? 'path' : '', late]",
      ),
      'people/ann.ts': "import { nameOf } from '../name.ts'\nexport const ann: string = nameOf('ann')",
      'people/bob.ts': "import { nameOf } from '../name.ts'\nexport const bob: string = nameOf('bob')",
      'people/cem.mjs':
        "import { defineScenario } from 'agent-mailbox-sim'\nexport const cem = defineScenario('cem')",
      'people/dan.cjs': "const { sep } = require('node:path')\nmodule.exports = { dan: sep ? 'dan' : '' }",
      'people/eve/index.ts': "export { eve } from './eve.ts'",
      'people/eve/eve.ts': "export const eve = 'eve' as const",
      'people/late.ts': "export const late = 'late'",
      'name.ts': "let named = 0\nexport const nameOf = (name: string) => name + ' ' + ++named",
      'names.json': '["from json"]',
      'node_modules/last-package/package.json': '{ "type": "module", "exports": "./index.js" }',
      'node_modules/last-package/index.js': "export const last = 'from a package'",
    })
    const subjects = (await subjectsOf(`${folder}/inbox.ts`)).join()
    expect(subjects).toBe('ann 1,bob 2,cem,dan,eve,from json,from a package,path,late')
  })

  it('sees changed imports when loaded again', async () => {
    const version = (text: string): Record<string, string> => ({
      'package.json': '{ "type": "module" }',
      'a.ts': `import { b } from './b.ts'\nexport const a = ['a ${text}', ...b]`,
      'b.ts': `import d from './d.json' with { type: 'json' }\nexport const b = ['b ${text}', d.d]`,
      'd.json': `{ "d": "d ${text}" }`,
    })
    const folder = await folderOf({ 'inbox.ts': inbox("import { a } from './a.ts'", 'a'), ...version('1') })
    expect(await subjectsOf(`${folder}/inbox.ts`)).toEqual(['a 1', 'b 1', 'd 1'])
    await writeInto(folder, version('2'))
    expect(await subjectsOf(`${folder}/inbox.ts`)).toEqual(['a 2', 'b 2', 'd 2'])
  })

  it('can have any characters in its name', async () => {
    const folder = await folderOf({
      'a b/50% #1?/inbox ä.ts': inbox("import { a } from './a (1) ö.ts'", 'a'),
      'a b/50% #1?/a (1) ö.ts': "import a from './a 100%.json'\nexport { a }",
      'a b/50% #1?/a 100%.json': '["found"]',
    })
    expect(await subjectsOf(`${folder}/a b/50% #1?/inbox ä.ts`)).toEqual(['found'])
  })
})
