import { describe, expect, it } from 'vitest'
import { defaultReadings, gapIds, type gaps } from '../../src/contract/gaps.js'
import { profileReadings } from '../../src/world/readings.js'
import { programInProcess } from './in-process.js'
import { output, refusal } from './outcomes.js'
import { useReadingsFiles } from './readings-files.js'

const start = programInProcess()
const path = useReadingsFiles()

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

  it.each([
    [
      ['--scenario', 'nowhere'],
      /no scenario of that name\. Those that ship with the simulator are .*\bsupport-desk\b/,
    ],
    [
      ['lisst'],
      /readings takes list, show, profile, not 'lisst'\nDid you mean npx agent-mailbox-sim readings list\?/,
    ],
    [
      ['thread.total'],
      /not 'thread\.total'\nDid you mean npx agent-mailbox-sim readings show threads\.total\?/,
    ],
    [['list', 'weather'], /not 'weather'\n(?!Did)/],
    [['--raeding', 'x'], /unknown option '--raeding'.*\n?.*--reading/],
  ])('%j is explained, with status 2', async (args, explanation) => {
    expect(await refusal(start, 'readings', ...args)).toMatch(explanation)
  })

  it('names the invalid environment variable', async () => {
    const run = start.with({ MAILBOX_SIM_READINGS: 'threads.total' })
    expect(await refusal(run, 'readings')).toMatch(/error: MAILBOX_SIM_READINGS: .*threads\.total/)
    expect(await refusal(run, 'serve', '--port', '0')).toMatch(/error: MAILBOX_SIM_READINGS: /)
  })
})
