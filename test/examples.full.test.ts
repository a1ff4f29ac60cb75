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
    expect(await project.runScript('test:vitest')).toMatch(/Tests +15 passed \(15\)/)
  }, 120_000)

  it('passes with Jest', async () => {
    expect(await project.runScript('test:jest')).toMatch(/Tests: +5 passed, 5 total/)
  }, 120_000)

  it('passes with node:test', async () => {
    expect(await project.runScript('test:node')).toMatch(/tests 5\n(?:.*\n)*?.*pass 5\n/)
  }, 120_000)
})

describe('examples/jest', () => {
  it('passes as CommonJS, with babel-jest and with ts-jest, without flags of Node', async () => {
    const copy = await createProject('jest')
    await copy.run('npm ci --ignore-scripts --no-audit --no-fund')
    await copy.linkPackage()
    expect(await copy.run('npx jest')).toMatch(/Tests: +9 passed, 9 total/)
    await copy.remove()
  }, 180_000)
})

/** The files of a page that contain these words. */
async function shownIn(page: string, words: string): Promise<string[]> {
  const text = await readFile(new URL(`../docs/${page}`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block as string)
  return blocks.filter((block) => block.includes(words))
}

describe.each([
  ['testing.md', 14],
  ['webhooks.md', 4],
])('docs/%s', (page, least) => {
  it('shows tests that pass with Vitest', async () => {
    const shown = await shownIn(page, "vitest'\n")
    expect(shown.length).toBeGreaterThanOrEqual(least)
    const folder = page.replace('.', '-')
    for (const [index, text] of shown.entries()) await project.write(`${folder}/${index}.test.mjs`, text)
    const said = await project.run(`vitest run --dir ${folder} --no-isolate --maxWorkers 1`)
    expect(said).toMatch(new RegExp(`Test Files +${shown.length} passed \\(${shown.length}\\)`))
  }, 120_000)
})

describe('docs/testing.md', () => {
  const files = (words: string) => shownIn('testing.md', words)

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
