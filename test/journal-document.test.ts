import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { worldEventTypes } from '../src/world/event-feed.js'
import { Journal } from '../src/world/journal.js'
import { recordedExchange } from './support/world/recorded-exchange.js'

const text = readFileSync(new URL('../docs/journal.md', import.meta.url), 'utf8')

/** The names in the first column of the table below a heading. */
function namesUnder(heading: string): string[] {
  const part = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = part.split('\n').filter((line) => line.startsWith('| `') && !line.startsWith('| `type`'))
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name as string),
  )
}

it('docs/journal.md describes every field of an exchange', () => {
  const exchange = new Journal('world_1').record(recordedExchange()).show()
  expect(namesUnder('An exchange').sort()).toEqual(Object.keys(exchange).sort())
})

it('docs/journal.md describes every type of event', () => {
  expect(namesUnder('Events')).toEqual([...worldEventTypes])
})
