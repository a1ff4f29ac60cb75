import { describe, expect, it } from 'vitest'
import { formatScenarioDocument } from '../build/scenario-format-document.js'
import { createScenarioJsonSchema, type JsonSchema } from '../src/story/format/scenario.js'
import { expectNoStrayMarkup, rowsOf } from './support/markdown-page.js'

const page = formatScenarioDocument()
const { $defs = {}, ...whole } = createScenarioJsonSchema()
const parts: [string, JsonSchema][] = Object.entries({ ...$defs, scenario: { ...whole, title: 'Scenario' } })

/** The part of the page under a heading. */
function sectionOf(title: string): string {
  const [, section = ''] = page.split(`\n## ${title}\n`)
  return section.split('\n## ')[0] ?? ''
}

/** The rows of the table of a part: key, type, default, meaning. */
function keysOf(title: string): string[][] {
  return rowsOf(sectionOf(title)).filter((cells) => cells.length === 4)
}

describe('docs/scenario-format.md', () => {
  it('equals the format', async () => {
    await expect(page).toMatchFileSnapshot('../docs/scenario-format.md')
  })

  it('states in its first lines how to regenerate it', () => {
    expect(page.split('\n')[0]).toContain('npx vitest run test/scenario-format-document.test.ts -u')
  })
})

describe('the page of the format', () => {
  it('has every key of every part', () => {
    expect(parts.length).toBeGreaterThan(20)
    for (const [name, { title = '', properties = {}, required = [] }] of parts) {
      const rows = new Map(keysOf(title).map(([key = '', ...cells]) => [key, cells]))
      const keys = name === 'assumptions' ? {} : (properties as Record<string, JsonSchema>)
      for (const [key, { description, default: value }] of Object.entries(keys)) {
        const [type, otherwise, meaning] = rows.get(`\`${key}\``) ?? []
        expect(type, `${name}.${key}`).toMatch(/\S/)
        expect(meaning, `${name}.${key}`).toBe(description)
        expect(otherwise === 'required', `${name}.${key}`).toBe(required.includes(key))
        if (value !== undefined) expect(otherwise?.replaceAll('"', '')).toBe(`\`${textOf(value)}\``)
      }
      expect(sectionOf(title), name).not.toBe('')
    }
  })

  it('describes the types in words', () => {
    const types = new Map(
      parts.flatMap(([, { title = '' }]) => keysOf(title)).map(([key, type]) => [key, type]),
    )
    expect(types.get('`seed`')).toBe('whole number, 0 or more')
    expect(types.get('`probability`')).toBe('number, 0 to 1')
    expect(types.get('`identities`')).toBe('list: [Identity](#identity)')
    expect(types.get('`repeat.every`')).toBe('duration')
    expect(types.get('`clear_faults`')).toBe('`true`')
    expect(types.get('`maildir`')).toBe('path')
    expect(types.get('`direction`')).toBe('`inbound`, `outbound`')
  })

  it('contains no stray Markdown markup', () => {
    expectNoStrayMarkup(page)
  })
})

function textOf(value: unknown): string {
  return JSON.stringify(value).replaceAll('"', '')
}
