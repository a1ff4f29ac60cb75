import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { z } from '../src/contract/schema.js'
import { createSimulator } from '../src/index.js'
import { worldEventTypes } from '../src/world/event-feed.js'
import { snapshotSchema } from '../src/world/index.js'
import { Journal } from '../src/world/journal.js'
import { reportSchema } from './replay/report-schema.js'
import { only } from './support/explore/model-client.fixture.js'
import { reportOn } from './support/explore/report.fixture.js'
import { recordedExchange } from './support/world/recorded-exchange.js'

const textOf = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')

const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** Returns the cells of the first table below a heading. */
function tableUnder(text: string, heading: string): string[][] {
  const part = text.split(`# ${heading}\n`)[1]?.split('\n#')[0] ?? ''
  const [, table = ''] = /^\|---[^\n]*\n(.*?)(?:\n\n|$(?![\n]))/ms.exec(part) ?? []
  return table.split('\n').map((row) => row.split('|').slice(1, -1))
}

/** Returns the names in the first column of that table. */
const namesUnder = (text: string, heading: string): string[] =>
  tableUnder(text, heading).flatMap(([first]) => namesIn(first))

const keysOf = (schema: z.ZodType): string[] => Object.keys((schema as z.ZodObject).shape)

describe('docs/journal.md', () => {
  const text = textOf('journal.md')

  it('describes every field of an exchange', () => {
    const exchange = new Journal('world_1').record(recordedExchange()).show()
    expect(namesUnder(text, 'An exchange').sort()).toEqual(Object.keys(exchange).sort())
  })

  it('describes every type of event', () => {
    expect(namesUnder(text, 'Events')).toEqual([...worldEventTypes])
  })
})

describe('docs/explore.md', () => {
  const text = textOf('explore.md')
  const report = reportOn({
    reliesOn: () => ['threads.total'],
    brokenBy: [only('threads.total', 'page-size')],
  })

  it.each([
    ['The report as JSON', (all: Awaited<typeof report>) => all],
    ['A run', ({ first }: Awaited<typeof report>) => first],
    ['A gap', ({ relied }: Awaited<typeof report>) => relied[0]],
    ['A try', ({ tries }: Awaited<typeof report>) => tries[0]],
    ['A break', ({ breaks }: Awaited<typeof report>) => breaks[0]],
  ] as const)('describes every field: %s', async (heading, part) => {
    expect(namesUnder(text, heading).sort()).toEqual(Object.keys(part(await report) ?? {}).sort())
  })

  it('names the format and the version', async () => {
    const { format, version } = await report
    expect(text).toContain(`\`"format": "${format}"\`, \`"version": ${version}\``)
  })
})

describe('docs/replay.md', () => {
  const text = textOf('replay.md')

  it('shows a valid report and describes its fields', () => {
    const [, json = ''] = /```json\n(.*?)```/s.exec(text) ?? []
    expect(reportSchema.safeParse(JSON.parse(json)).error).toBeUndefined()
    const { verdicts, command } = reportSchema.shape
    expect(namesUnder(text, 'The report as JSON')).toEqual(keysOf(reportSchema))
    expect(namesUnder(text, 'A verdict')).toEqual(keysOf(verdicts.element))
    expect(namesUnder(text, 'The command')).toEqual(keysOf(command.unwrap()))
  })
})

describe('docs/snapshot.md', () => {
  const text = textOf('snapshot.md')
  const [, json = ''] = /```json\n(.*?)```/s.exec(text) ?? []
  const example = JSON.parse(json)

  it('shows a valid document with all keys', async () => {
    expect(snapshotSchema().safeParse(example).error).toBeUndefined()
    expect(namesUnder(text, 'The document')).toEqual(Object.keys(example))
    const simulator = await createSimulator({ scenario: 'refund-request' })
    expect(Object.keys(simulator.snapshot())).toEqual(Object.keys(example))
  })

  it('lists the fields of every model', () => {
    const { shape } = snapshotSchema().shape.rows
    const models = tableUnder(text, 'Rows').map(([model, fields]) => [namesIn(model)[0], namesIn(fields)])
    expect(models).toEqual(Object.entries(shape).map(([model, { element }]) => [model, keysOf(element)]))
  })

  it('lists the reasons of refusals', () => {
    const codes = ['malformed', 'wrong-version', 'wrong-scenario', 'masked', 'inconsistent']
    expect(namesUnder(text, 'What is refused')).toEqual(codes)
  })
})
