import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createSimulator } from 'agent-mailbox-sim'
import { expect, it } from 'vitest'
import { storyNames } from '../shipped-scenarios/story.js'
import { useProgram } from './program.js'

const start = useProgram()
const prepared = storyNames.filter((name) => name !== 'busy-inbox')
const run = promisify(execFile)

/** What a program gives that has the library of some package as `createSimulator`. */
async function tell(folder: string, expression: string): Promise<string> {
  const library = pathToFileURL(join(folder, 'dist/index.js')).href
  const program = `import { createSimulator } from '${library}'; console.log(${expression})`
  return (await run(process.execPath, ['--input-type=module', '--eval', program])).stdout.trim()
}

/** The digest that the program of some package tells of the scenario. */
async function digestToldIn(folder: string): Promise<string | undefined> {
  const args = [join(folder, 'dist/cli/main.js'), 'scenarios', 'check', 'empty']
  return /digest (\w+)/.exec((await run(process.execPath, args)).stdout)?.[1]
}

/** The package with another agent in what is prepared of `empty`, and its scenarios to be changed. */
async function packageWithOtherAgent(name: string): Promise<string> {
  const folder = join(dirname(start.folder()), name)
  await mkdir(folder)
  for (const part of ['package.json', 'dist', 'scenarios', 'fixtures']) {
    await cp(join(start.folder(), part), join(folder, part), { recursive: true, dereference: true })
  }
  const file = join(folder, 'dist/prepared/empty.json')
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace('"agent_handle":"desk"', '"agent_handle":"other"'),
  )
  return folder
}

it('lie in the package, and nothing else does there', async () => {
  const files = await readdir(join(start.folder(), 'dist/prepared'))
  expect(files.sort()).toEqual(prepared.flatMap((name) => [`${name}.bodies.json`, `${name}.json`]))
})

it.each(prepared)('give the world that their text gives: %s', async (scenario) => {
  const sim = await createSimulator({ scenario })
  const wanted = sim.digest()
  sim.close()
  const digest = `(await createSimulator({ scenario: '${scenario}' })).digest()`
  expect(await tell(start.folder(), digest)).toBe(wanted)
})

it('are what the library and the program begin with, until the text is another', async () => {
  const folder = await packageWithOtherAgent('with-other-agent')
  const digest = `(await createSimulator({ scenario: 'empty' })).digest()`
  const bothTell = async () => [await tell(folder, digest), await digestToldIn(folder)]
  const own = await tell(start.folder(), digest)
  const [other, same] = await bothTell()
  expect(other).not.toBe(own)
  expect(same).toBe(other)
  const text = join(folder, 'scenarios/empty.yaml')
  await writeFile(text, `${await readFile(text, 'utf8')}# changed\n`)
  expect(await bothTell()).toEqual([own, own])
})
