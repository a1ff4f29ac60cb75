import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { loadScenario } from '../src/story/load.js'
import { ScenarioError } from '../src/story/read/problem.js'
import { sharedFolder } from './support/temporary-folder.js'

// Loading hundreds of scenarios is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const wholeFormat = readFileSync(new URL('fixtures/whole-format.yaml', import.meta.url), 'utf8')
const file = join(sharedFolder(), 'story.yaml')

type PartPath = readonly (string | number)[]

/** Every part of a value except the whole. */
function partsOf(value: unknown, path: PartPath = []): PartPath[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const own = [...path, Array.isArray(value) ? Number(key) : key]
    return [own, ...partsOf(child, own)]
  })
}

const parts = partsOf(parse(wholeFormat))

/** Returns the text of the scenario with a part that a function changes in the map or list around it. */
function changed(path: PartPath, change: (around: Record<string, unknown>, key: string) => void): string {
  const whole = parse(wholeFormat)
  const around = path.slice(0, -1).reduce((part, step) => part[step], whole)
  change(around, path.at(-1) as string)
  return stringify(whole)
}

/** Doubles a letter, or leaves one out; the first letter is hardly ever wrong. */
function misspelt(word: string, number: number): string {
  const at = 1 + (number % (word.length - 2))
  return word.slice(0, at) + (number % 2 === 0 ? word.charAt(at) + word.slice(at) : word.slice(at + 1))
}

/** Returns the problems of a text, each with its place; empty if it is accepted. */
async function problemsIn(text: string): Promise<string[]> {
  writeFileSync(file, text)
  const error = await loadScenario(file).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error === undefined) return []
  expect(error, text).toBeInstanceOf(ScenarioError)
  // The last line of a long list counts the omitted problems.
  const lines = (error as ScenarioError).message.split('\n').filter((line) => !/: and \d+ more$/.test(line))
  for (const line of lines) {
    const [, place = '0', words] = /:(\d+):\d+: (\S.*)$/.exec(line.replace(file, '')) ?? []
    const isInside = Number(place) > 0 && Number(place) <= text.split('\n').length
    expect({ line, isInside }).toEqual({ line, isInside: true })
    expect(words).not.toMatch(/undefined|Invalid|object Object|first-key|second-key|hook-secret/)
  }
  return lines
}

it('a scenario without a mistake is accepted', async () => {
  expect(await problemsIn(wholeFormat)).toEqual([])
})

it('a part that is missing or another value is accepted, or refused with its place', async () => {
  const others = [null, true, 42, -1.5, 1e300, 'soon', '', [], {}, [1], { a: 1 }, '{{', '-3d', '9'.repeat(60)]
  let refused = 0
  for (const [number, path] of parts.entries()) {
    const other = others[number % (others.length + 1)]
    const text = changed(path, (around, key) => {
      if (other !== undefined) around[key] = other
      else if (Array.isArray(around)) around.splice(Number(key), 1)
      else delete around[key]
    })
    if ((await problemsIn(text)).length > 0) refused++
  }
  expect(refused).toBeGreaterThan(parts.length / 2)
})

it('a misspelt key or choice is refused with the right spelling', async () => {
  const choices = 'inbound outbound message.received threads.list succeeded page-size'.split(' ')
  // Gaps, fields and parameters are no keys of the format; a mistake in a short word makes another valid word.
  const isKey = (word: string, path: PartPath) =>
    word.length > 3 &&
    !word.includes('.') &&
    !path.some((step) => ['has', 'query', 'kinds'].includes(`${step}`))
  for (const [number, path] of parts.entries()) {
    const key = String(path.at(-1))
    let wrong = misspelt(key, number)
    if (typeof path.at(-1) === 'string' && isKey(key, path.slice(0, -1)) && wrong !== key) {
      const lines = await problemsIn(
        changed(path, (around) => {
          around[wrong] = around[key]
          delete around[key]
        }),
      )
      expect(lines.join('\n')).toMatch(new RegExp(`${wrong}: unknown key; did you mean .*"${key}"`))
    }
    const right = path.reduce((part, step) => part[step], parse(wholeFormat))
    if (typeof right !== 'string' || !choices.includes(right)) continue
    wrong = misspelt(right, number)
    const lines = await problemsIn(
      changed(path, (around) => {
        around[key] = wrong
      }),
    )
    expect(lines.join('\n')).toMatch(new RegExp(`"${wrong}".*did you mean .*"${right}"`))
  }
})

it('a text that is damaged is accepted, or refused with a place', async () => {
  const pieces = ['', ': ', '- ', '&a ', '*a', '{{', ...' \n\t:{}[]"\'!|#\0']
  for (let number = 0; number < 60; number++) {
    const at = (number * 977) % wholeFormat.length
    const put = pieces[number % pieces.length]
    await problemsIn(wholeFormat.slice(0, at) + put + wholeFormat.slice(at + (number % 4)))
  }
})
