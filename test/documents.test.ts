import { describe, expect, it } from 'vitest'
import type { z } from '../src/base/schema.js'
import { gapIds } from '../src/contract/gaps.js'
import { Masker } from '../src/service/record/masker.js'
import { worldEventTypes } from '../src/service/world/entries.js'
import { JournalEntry } from '../src/service/world/exchange.js'
import { describeShipped } from '../src/story/read/read-scenario.js'
import { reportSchema, trialsSchema } from './replay/report-schema.js'
import { operations } from './server/control-client.js'
import { emptyCheckReport } from './support/check-report.js'
import { blocksIn, linesIn, textOf, wordsIn } from './support/documents.js'
import { recordedExchange } from './support/world/recorded-exchange.js'

/** Returns the first JSON of a page. */
function jsonIn(page: string): Record<string, unknown> {
  return JSON.parse(blocksIn(page).find(({ language }) => language === 'json')?.text ?? '')
}

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

describe('docs/control-api.md, about what happened', () => {
  const text = textOf('docs/control-api.md')

  it('describes every field of an exchange', () => {
    const showing = { world: 'world_1', masker: new Masker(), bodyCharacters: 100 }
    const exchange = new JournalEntry(0, { ...recordedExchange(), via: 'mcp', start: 1 }, showing).show()
    expect(namesUnder(text, 'An exchange').sort()).toEqual(Object.keys(exchange).sort())
  })

  it('describes every type of event', () => {
    expect(namesUnder(text, 'Events')).toEqual([...worldEventTypes])
  })
})

describe('docs/reports.md, about check', () => {
  const text = textOf('docs/reports.md')

  it('describes every field', () => {
    const described = tableUnder(text, 'The report of check').flatMap(([first]) => namesIn(first))
    expect(described.sort()).toEqual(Object.keys(emptyCheckReport).sort())
  })

  it('names the format and the version', () => {
    const { format, version } = emptyCheckReport
    expect(text).toContain(`\`"format": "${format}"\`, \`"version": ${version}\``)
  })
})

describe('docs/reports.md, about replay', () => {
  const text = textOf('docs/reports.md')

  it('shows a valid report and describes its fields', () => {
    expect(reportSchema.safeParse(jsonIn('docs/reports.md')).error).toBeUndefined()
    const { verdicts, command } = reportSchema.shape
    expect(namesUnder(text, 'The report of replay')).toEqual(keysOf(reportSchema))
    expect(namesUnder(text, 'A verdict')).toEqual(keysOf(verdicts.element))
    expect(namesUnder(text, 'The command')).toEqual(keysOf(command.unwrap()))
  })

  it('describes the fields of a report of trials', () => {
    const own = namesUnder(text, 'A report of trials')
    const part = text.split('### A report of trials\n')[1]?.split('\n|')[0] ?? ''
    expect([...own, ...namesIn(part)].toSorted()).toEqual([...keysOf(trialsSchema), '--trials'].toSorted())
    const [, trials = '', expectations = ''] = tableUnder(text, 'A report of trials').map(([, cell]) => cell)
    const { shape } = trialsSchema
    expect(namesIn(trials)).toEqual(keysOf(shape.trials))
    expect(namesIn(expectations)).toEqual(keysOf(shape.expectations.element))
  })
})

describe('docs/state.md, about snapshots', () => {
  const text = textOf('docs/state.md')

  it('lists the reasons of refusals', () => {
    const codes = ['malformed', 'wrong-version', 'wrong-scenario', 'masked', 'inconsistent']
    expect(namesUnder(text, 'What is refused').toSorted()).toEqual(codes.toSorted())
  })
})

describe('docs/control-api.md', () => {
  it('has exactly one section with a command for each operation', () => {
    const [, ...sections] = textOf('docs/control-api.md').split(/^### /m)
    const described = sections.map((section) => {
      const [, method = '', path = ''] = /^(\w+) (\S+)\n/.exec(section) ?? []
      const [, shell = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? []
      const asked = wordsIn(linesIn({ text: shell })[0] ?? '').find((word) => word.startsWith('http')) ?? ''
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
      return pattern.test(new URL(asked).pathname) ? `${method} ${path}` : `${method} ${path}: ${asked}`
    })
    expect(described.toSorted()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted())
  })
})

describe('docs/scenarios.md', () => {
  it('lists every shipped scenario with its contents', async () => {
    const row = /^\| \[`([a-z-]+)`\]\(\.\.\/scenarios\/\1\.yaml\) \| (.+) \|$/gm
    const rows = [...textOf('docs/scenarios.md').matchAll(row)]
    expect(rows.map(([, name, describe]) => ({ name, describe }))).toEqual(await describeShipped())
  })
})

describe('README.md', () => {
  it('fits on a page, and counts the gaps', () => {
    const text = textOf('README.md')
    expect(text.split('\n').length).toBeLessThanOrEqual(131)
    expect(text.match(/\d+ (?:such points|gaps)/g)).toEqual([`${gapIds.length} such points`])
  })
})

describe('docs/recipes', () => {
  it.each([
    [
      'docs/recipes/ci.md',
      ['examples/agents/ci.yml', 'examples/agents/ci.sh', 'examples/agents/nightly.yml'],
    ],
  ])('%s shows the files of the example', (page, files) => {
    expect(blocksIn(page).map(({ text }) => text)).toEqual(expect.arrayContaining(files.map(textOf)))
  })
})
