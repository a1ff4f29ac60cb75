import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Gap } from '../../src/contract/gaps/gap.js'
import { defaultReadings, gapIds, gaps } from '../../src/contract/gaps.js'
import { profileReadings } from '../../src/service/readings/readings.js'
import { programInProcess } from './in-process.js'
import { output, refusal } from './outcomes.js'
import { useReadingsFiles } from './readings-files.js'

const start = programInProcess()
const path = useReadingsFiles()

describe('readings show', () => {
  it('shows everything about a gap', async () => {
    const text = await output(start, 'readings', 'show', 'threads.total')
    const gap: Gap = gaps['threads.total']
    const stated = [gap.question, gap.advice, gap.evidence, 'Interface 4.3', 'threads.list']
    for (const part of stated) expect(text).toContain(part)
    for (const { means, example } of gap.readings)
      expect(text).toContain(`    ${means}\n    A client sees: ${example}\n`)
    expect(text).toMatch(/^ {2}all-matches \(default\)$/m)
    expect(text).toMatch(/^ {2}page-size \(worst-case\)$/m)
    expect(text).toMatch(/^ {2}all-threads$/m)
  })

  it('shows several gaps', async () => {
    const text = await output(start, 'readings', 'show', 'auth.keys', 'events.retries')
    expect(text).toMatch(/^auth\.keys\n[\s\S]*^events\.retries\n/m)
  })

  it('shows gaps of the extensions that ship without --extend', async () => {
    const text = await output(start, 'readings', 'show', 'common.send-status', 'threads.total')
    expect(text).toContain('Treat any status from 200 to 299 as success.')
  })

  it('says how to show a gap of another extension', async () => {
    const { status, stderr } = await start('readings', 'show', 'own.status').outcome
    expect([status, stderr]).toEqual([2, expect.stringContaining('with --extend FILE')])
  })

  it('--json writes a line for each gap', async () => {
    const lines = (await output(start, 'readings', 'show', ...gapIds, '--json')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      gapIds.map((id) => {
        const { readings, worst, learnedBy, ...gap }: Gap = gaps[id]
        const shown = readings.map(({ byNameOnly, ...reading }, index) => {
          return { ...reading, default: index === 0, worst: reading.name === worst }
        })
        return { gap: id, ...gap, learned_by: learnedBy, readings: shown }
      }),
    )
  })
})

describe('readings profile', () => {
  it.each(['default', 'worst-case', 'seed:7'])('%s is a file with the same readings', async (name) => {
    for (const [file, args] of [
      ['kept.yaml', []],
      ['kept.json', ['--json']],
    ] as const) {
      await writeFile(path(file), await output(start, 'readings', 'profile', name, ...args))
      const run = start.with({ MAILBOX_SIM_READINGS: 'seed:1' })
      const listed = await output(run, 'readings', '--json', '--readings', path(file))
      expect(JSON.parse(listed).readings).toEqual(profileReadings(name))
    }
  })

  it('of a file includes the profile that it extends', async () => {
    const text = await output(start, 'readings', 'profile', path('mine.yaml'), '--json')
    const expected = { ...profileReadings('worst-case'), 'auth.missing-status': '401' }
    expect(JSON.parse(text)).toEqual({ readings: expected })
  })

  it('names the place of a problem in a file', async () => {
    const typo = path('typo.yaml')
    const place = `${typo}:2:17: There is no gap "threads.totl"; did you mean "threads.total"?\n`
    expect(await refusal(start, 'readings', 'profile', typo)).toBe(`error: ${place}`)
    expect(await refusal(start, 'readings', '--readings', typo)).toBe(`error: --readings: ${place}`)
    expect(await refusal(start, '--port', '0', '--readings', typo)).toBe(`error: --readings: ${place}`)
  })
})

/** The rows of a list, by gap. */
function rowsOf(list: string): Map<string, { mark: string; reading: string; from: string }> {
  const rows = list.matchAll(/^([* ]) (\S+\.\S+) +(\S+) {2,}(\S.*?) *$/gm)
  return new Map(
    [...rows].map(([, mark = '', gap = '', reading = '', from = '']) => [gap, { mark, reading, from }]),
  )
}

describe('readings list', () => {
  it.each([[[]], [['list']]])('lists every gap for %j', async (args) => {
    const text = await output(start, 'readings', ...args)
    const rows = rowsOf(text)
    expect([...rows.keys()]).toEqual(gapIds)
    for (const [gap, { mark, reading, from }] of rows) {
      expect([gap, mark, reading, from]).toEqual([
        gap,
        ' ',
        defaultReadings[gap as keyof typeof gaps],
        'default',
      ])
    }
    expect(text).not.toContain('\x1b')
  })

  it('shows the origin of each reading: flags, then the environment, then the scenario', async () => {
    const run = start.with({ MAILBOX_SIM_READINGS: 'threads.order=created-desc,threads.snippet=first' })
    const args = [
      '--reading',
      'threads.unscoped=empty',
      '--readings',
      'threads.snippet=latest,limits.rate=none',
    ]
    const rows = rowsOf(await output(run, 'readings', '--scenario', path('story.yaml'), ...args))
    const chosen = [...rows].filter(([, { mark }]) => mark.startsWith('*'))
    expect(Object.fromEntries(chosen.map(([gap, { reading, from }]) => [gap, [reading, from]]))).toEqual({
      'auth.keys': ['listed-keys', 'scenario'],
      'threads.total': ['all-threads', 'scenario'],
      'threads.order': ['created-desc', 'MAILBOX_SIM_READINGS'],
      'threads.snippet': ['latest', '--readings'],
      'limits.rate': ['none', '--readings'],
      'threads.unscoped': ['empty', '--reading'],
    })
  })

  it('prefers --reading to --readings in any order', async () => {
    const args = ['--reading', 'threads.total=all-threads', '--readings', path('mine.yaml')]
    const { readings, origins } = JSON.parse(await output(start, 'readings', '--json', ...args))
    expect(readings).toEqual({
      ...profileReadings('worst-case'),
      'auth.missing-status': '401',
      'threads.total': 'all-threads',
    })
    expect(origins).toMatchObject({
      'threads.total': '--reading',
      'auth.missing-status': `--readings: ${path('mine.yaml')}`,
    })
  })

  it('names the invalid environment variable', async () => {
    const run = start.with({ MAILBOX_SIM_READINGS: 'threads.total' })
    expect(await refusal(run, 'readings')).toMatch(/error: MAILBOX_SIM_READINGS: .*threads\.total/)
    expect(await refusal(run, 'serve', '--port', '0')).toMatch(/error: MAILBOX_SIM_READINGS: /)
  })
})
