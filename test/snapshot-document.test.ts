import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createSimulator } from '../src/index.js'
import { snapshotSchema } from '../src/world/index.js'

const text = readFileSync(new URL('../docs/snapshot.md', import.meta.url), 'utf8')
const [, json = ''] = /```json\n(.*?)```/s.exec(text) ?? []
const example = JSON.parse(json)

/** Returns the fields that a table describes, by the first cell of their row. */
function described(title: string): Map<string, string> {
  const [, table = ''] = new RegExp(`${title}.*?\n\n\\|[^\n]*\n\\|---[^\n]*\n(.*?)\n\n`, 's').exec(text) ?? []
  const cells = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()))
  return new Map(cells.map(([, name = '', meaning = '']) => [name, meaning]))
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

describe('docs/snapshot.md', () => {
  it('shows a valid document', () => {
    expect(snapshotSchema().safeParse(example).error).toBeUndefined()
    const keys = [...described('## The document').keys()].flatMap(namesIn)
    expect(keys).toEqual(Object.keys(example))
  })

  it('shows all keys of a document', async () => {
    const simulator = await createSimulator({ scenario: 'refund-request' })
    expect(Object.keys(simulator.snapshot())).toEqual(Object.keys(example))
  })

  it('lists the fields of every model', () => {
    const { shape } = snapshotSchema().shape.rows
    const models = described('### Rows')
    expect([...models.keys()].flatMap(namesIn)).toEqual(Object.keys(shape))
    for (const [model, { element }] of Object.entries(shape)) {
      expect(namesIn(models.get(`\`${model}\``) ?? '')).toEqual(Object.keys(element.shape))
    }
  })

  it('lists the reasons of refusals', () => {
    const codes = [...described('## What is refused').keys()]
    expect(codes).toEqual([
      '`malformed`',
      '`wrong-version`',
      '`wrong-scenario`',
      '`masked`',
      '`inconsistent`',
    ])
  })
})
