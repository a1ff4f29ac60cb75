import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, type ExampleProject } from './examples/project.js'

let project: ExampleProject

beforeAll(async () => {
  project = await createProject()
}, 120_000)

afterAll(() => project.remove())

describe('examples/unit-tests', () => {
  it('passes with Vitest', async () => {
    expect(await project.runScript('test:vitest')).toMatch(/Tests +12 passed \(12\)/)
  }, 120_000)

  it('passes with Jest', async () => {
    expect(await project.runScript('test:jest')).toMatch(/Tests: +4 passed, 4 total/)
  }, 120_000)

  it('passes with node:test', async () => {
    expect(await project.runScript('test:node')).toMatch(/tests 4\n(?:.*\n)*?.*pass 4\n/)
  }, 120_000)
})

describe('docs/testing.md', () => {
  const page = readFile(new URL('../docs/testing.md', import.meta.url), 'utf8')

  /** The files the page shows, as far as they have these words in them. */
  async function files(words: string): Promise<string[]> {
    const blocks = [...(await page).matchAll(/^```js\n(.*?)^```$/gms)].map(([, text]) => text as string)
    return blocks.filter((text) => text.includes(words))
  }

  it('shows tests that pass with Vitest', async () => {
    const shown = await files("from 'agent-mailbox-sim/vitest'")
    expect(shown.length).toBeGreaterThan(8)
    for (const [index, text] of shown.entries()) await project.write(`page/${index}.test.mjs`, text)
    const said = await project.run('vitest run --dir page --no-isolate --maxWorkers 1')
    expect(said).toMatch(new RegExp(`Test Files +${shown.length} passed \\(${shown.length}\\)`))
  }, 120_000)

  it('shows a configuration and a test for Jest', async () => {
    const [configuration] = await files('export default')
    const [test] = await files('mailboxMatchers')
    await project.write('page/jest.config.mjs', configuration ?? '')
    await project.write('page/jest-of-page.mjs', test ?? '')
    const jest =
      'node --experimental-vm-modules ../node_modules/jest/bin/jest.js --testMatch "**/jest-of-page.mjs"'
    expect(await project.run(jest, 'page')).toMatch(/Tests: +1 passed, 1 total/)
  }, 120_000)

  it('shows a test for node:test', async () => {
    const [test] = await files("from 'node:test'")
    await project.write('page/node-test-of-page.mjs', test ?? '')
    expect(await project.run('node --test node-test-of-page.mjs', 'page')).toMatch(/pass 1\n.*fail 0\n/)
  }, 120_000)
})
