import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../src/story/load.js'
import { ScenarioError } from '../src/story/read/problem.js'

const folder = fileURLToPath(new URL('fixtures/broken-scenarios/', import.meta.url))
const files = readdirSync(folder).filter((file) => /\.(yaml|json)$/.test(file))

async function refusalOf(file: string): Promise<ScenarioError> {
  const error = await loadScenario(folder + file, { checksAttacks: true }).then(
    () => new Error('was accepted'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ScenarioError)
  return error as ScenarioError
}

describe('a broken scenario', () => {
  it('has many examples', () => {
    expect(files.length).toBeGreaterThan(45)
  })

  it.each(files)('%s is explained with the place of every problem, in order', async (file) => {
    const { code, message, problems } = await refusalOf(file)
    // Without the folder it happens to be in.
    const text = `${message.replaceAll(folder, '')}\n`
    await expect(text).toMatchFileSnapshot(`${folder}${file.replace(/\.\w+$/, '')}.txt`)
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^[a-z-]+\.(yaml|json):\d+:\d+: \S/)
    expect(text).not.toMatch(/very-secret|hook-secret|test-key|20260105|Invalid|undefined|object Object/)
    const lines = readFileSync(folder + file, 'utf8').split('\n')
    const places = problems.map(({ line = 0, column = 0 }) => line * 1000 + column)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    for (const { line = 0, column = 0, key } of problems) {
      const isEnd = line === lines.length
      if (!isEnd && code === 'invalid') expect(lines[line - 1]?.slice(column - 1)).toMatch(/^\S/)
      // A problem of the whole file, or of its syntax, has no key.
      if (code === 'invalid' && line > 1) expect(key).not.toBe('')
    }
  })
})
