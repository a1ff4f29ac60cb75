import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { createSimulator, type SimulatorOptions } from 'agent-mailbox-sim'
import { expect, it, onTestFinished } from 'vitest'
import { built } from './built-program.js'

const run = promisify(execFile)

const ways: readonly SimulatorOptions[] = [{}, { seed: 8 }, { start: '2026-03-01T09:00:00Z' }]

/** The digests and the threads of `support-desk`, in each way, by the library of a package. */
async function toldBy(folder: string): Promise<unknown> {
  const program = `
    import { createSimulator } from '${pathToFileURL(join(folder, 'dist/index.js')).href}'
    const all = ${JSON.stringify(ways)}.map((way) => createSimulator({ scenario: 'support-desk', ...way }))
    console.log(JSON.stringify((await Promise.all(all)).map((sim) => [sim.digest(), sim.threads.list()])))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
  return JSON.parse(stdout)
}

it('the built package gives the same worlds as the text of support-desk', async () => {
  const all = ways.map((way) => createSimulator({ scenario: 'support-desk', ...way }))
  const told = (await Promise.all(all)).map((sim) => [sim.digest(), sim.threads.list()])
  expect(await toldBy(built.folder)).toEqual(JSON.parse(JSON.stringify(told)))
})

it('the prepared form is used unless the text differs', async () => {
  const cache = join(built.folder, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  // Where it finds its dependencies.
  const folder = await mkdtemp(join(cache, 'other-agent-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const part of ['package.json', 'dist', 'scenarios', 'fixtures']) {
    await cp(join(built.folder, part), join(folder, part), { recursive: true, dereference: true })
  }
  const prepared = join(folder, 'dist/prepared/support-desk.json.br')
  const text = brotliDecompressSync(await readFile(prepared)).toString()
  const other = text.replace('"agent_handle":"support"', '"agent_handle":"other"')
  await writeFile(prepared, brotliCompressSync(other))
  const own = await toldBy(built.folder)
  expect(await toldBy(folder)).not.toEqual(own)
  const scenario = join(folder, 'scenarios/support-desk.yaml')
  await writeFile(scenario, `${await readFile(scenario, 'utf8')}# changed\n`)
  expect(await toldBy(folder)).toEqual(own)
})

it('the prepared form is judged as its text says', async () => {
  const program = join(built.folder, 'dist/cli/main.cjs')
  const args = [program, 'replay', 'support-desk', '--clock', 'frozen']
  const { code, stdout } = await run(process.execPath, args).catch((error) => error)
  expect([code, stdout]).toEqual([1, expect.stringContaining('✓ Reading mail changes no identity.')])
  expect(stdout).toContain("✗ It checks again after Ann's second question, and reads messages.")
})
