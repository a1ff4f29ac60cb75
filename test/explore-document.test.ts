import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { only } from './support/explore/model-client.fixture.js'
import { reportOn } from './support/explore/report.fixture.js'

const text = readFileSync(new URL('../docs/explore.md', import.meta.url), 'utf8')

/** The names in the first column of the table below a heading. */
function namesUnder(heading: string): string[] {
  const part = text.split(`# ${heading}\n`)[1]?.split('\n#')[0] ?? ''
  const rows = part.split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) => {
    return [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name as string)
  })
}

describe('docs/explore.md', () => {
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
    expect(namesUnder(heading).sort()).toEqual(Object.keys(part(await report) ?? {}).sort())
  })

  it('names the format and the version', async () => {
    const { format, version } = await report
    expect(text).toContain(`\`"format": "${format}"\`, \`"version": ${version}\``)
  })
})
