import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { folderOf } from '../support/temporary-folder.js'
import { built } from './built-program.js'

/** The URL of the built library, for imports. */
const entry = new URL('../index.js', pathToFileURL(built.main)).href

interface Outcome {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs Node with an empty environment, in a folder without the package. */
async function node(folder: string, ...args: readonly string[]): Promise<Outcome> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: {} })
    return { status: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { status: code, stdout, stderr }
  }
}

const people = "export interface Person { readonly name: string }\nexport const ann: Person = { name: 'Ann' }"

it('are loaded by the built package and import it', async () => {
  const folder = await folderOf({
    'inbox.ts': [
      "import * as library from 'agent-mailbox-sim'",
      "import { ann } from './people.ts'",
      'globalThis.library = library',
      'export default library.defineScenario(({ fakerFor }) => ({',
      "  scenario: 'inbox',",
      '  seed: 7,',
      "  identities: [{ handle: 'eva', display_name: ann.name, description: fakerFor('eva').person.jobTitle() }],",
      '}))',
    ].join('\n'),
    'people.ts': people,
    'run.mjs': [
      'const library = await import(process.argv[2])',
      "const simulator = await library.createSimulator({ scenario: './inbox.ts' })",
      'const { seed, scenario } = simulator',
      'const same = globalThis.library.defineScenario === library.defineScenario',
      'process.stdout.write(JSON.stringify({ seed, scenario, same }))',
    ].join('\n'),
  })
  const { status, stdout, stderr } = await node(folder, './run.mjs', entry)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ seed: 7, scenario: 'inbox', same: true })
})

it('end the program with the place of the error, and on request with stack traces', async () => {
  const folder = await folderOf({
    'stories/inbox.ts': "import { ann } from './people.ts'\n\nexport default ann.name.nickname.short",
    'stories/people.ts': people,
  })
  const serve = (...flags: string[]) => node(folder, built.main, './stories/inbox.ts', '--port=0', ...flags)
  const problem =
    "./stories/inbox.ts:3: the module throws TypeError: Cannot read properties of undefined (reading 'short')\n"
  expect(await serve()).toEqual({ status: 2, stdout: '', stderr: problem })
  const { status, stderr } = await serve('--verbose')
  expect(status).toBe(2)
  expect(stderr.startsWith(problem)).toBe(true)
  expect(stderr).toMatch(/^TypeError: Cannot read [\s\S]*at .*stories\/inbox\.ts:3:\d+/m)
})

it('leave no temporary files', async () => {
  const folder = await folderOf({
    'inbox.ts': "import { ann } from './people.ts'\nexport default { scenario: ann.name }",
    'people.ts': people,
    'node_modules/other/package.json': '{}',
    'temporary/other': '',
    'run.mjs': [
      "process.env.TMPDIR = 'temporary'",
      "await (await import(process.argv[2])).createSimulator({ scenario: 'inbox.ts' })",
    ].join('\n'),
  })
  const everything = () => readdir(folder, { recursive: true })
  const before = await everything()
  expect(await node(folder, './run.mjs', entry)).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(await everything()).toEqual(before)
})

it('are refused if they await a promise that never settles', async () => {
  const folder = await folderOf({ 'never.ts': 'export default new Promise(() => {})' })
  const { status, stdout, stderr } = await node(folder, built.main, 'scenarios', 'check', 'never.ts')
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe('error: The code of a scenario or an extension awaits a promise that never settles.\n')
})
