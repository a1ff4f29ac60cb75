import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createSimulator } from 'agent-mailbox-sim'
import { expect, it, onTestFinished } from 'vitest'
import { built } from './built-program.js'

const prepared = ['empty', 'support-desk']
const run = promisify(execFile)

/** Runs a program with the library of a package as `createSimulator`; returns its output. */
async function tell(folder: string, expression: string): Promise<string> {
  const library = pathToFileURL(join(folder, 'dist/index.js')).href
  const program = `import { createSimulator } from '${library}'; console.log(${expression})`
  return (await run(process.execPath, ['--input-type=module', '--eval', program])).stdout.trim()
}

/** The digest of the scenario by the program of a package. */
async function digestToldIn(folder: string): Promise<string | undefined> {
  const args = [join(folder, 'dist/cli/main.js'), 'scenarios', 'check', 'support-desk']
  return /digest (\w+)/.exec((await run(process.execPath, args)).stdout)?.[1]
}

/** The package with another agent in the prepared `support-desk`, and with editable scenarios. */
async function packageWithOtherAgent(): Promise<string> {
  const cache = join(built.folder, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  // Where it finds its dependencies.
  const folder = await mkdtemp(join(cache, 'other-agent-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const part of ['package.json', 'dist', 'scenarios', 'fixtures']) {
    await cp(join(built.folder, part), join(folder, part), { recursive: true, dereference: true })
  }
  const file = join(folder, 'dist/prepared/support-desk.json')
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace('"agent_handle":"support"', '"agent_handle":"other"'),
  )
  return folder
}

it('are exactly the files of their folder in the package', async () => {
  const files = await readdir(join(built.folder, 'dist/prepared'))
  expect(files.sort()).toEqual(prepared.map((name) => `${name}.json`))
})

it.each(prepared)('give the same world as their text: %s', async (scenario) => {
  const sim = await createSimulator({ scenario })
  const wanted = sim.digest()
  sim.close()
  const digest = `(await createSimulator({ scenario: '${scenario}' })).digest()`
  expect(await tell(built.folder, digest)).toBe(wanted)
})

it('are used by the library and the program unless the text differs', async () => {
  const folder = await packageWithOtherAgent()
  const digest = `(await createSimulator({ scenario: 'support-desk' })).digest()`
  const bothTell = async () => [await tell(folder, digest), await digestToldIn(folder)]
  const own = await tell(built.folder, digest)
  const [other, same] = await bothTell()
  expect(other).not.toBe(own)
  expect(same).toBe(other)
  const text = join(folder, 'scenarios/support-desk.yaml')
  await writeFile(text, `${await readFile(text, 'utf8')}# changed\n`)
  expect(await bothTell()).toEqual([own, own])
})
