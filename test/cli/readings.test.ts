import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultReadings, type Gap, gapIds, gaps, pendingGaps } from '../../src/contract/gaps.js'
import { profileReadings } from '../../src/world/readings.js'
import { nextLine, type Start, useProgram } from './program.js'

const start = useProgram()

let folder: string
const path = (name: string) => join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readings-'))
  await writeFile(path('mine.yaml'), 'extends: worst-case\nreadings:\n  auth.missing-status: 401\n')
  await writeFile(path('typo.yaml'), 'readings:\n  threads.totl: page-size\n')
  await writeFile(
    path('story.yaml'),
    'scenario: story\nreadings: { threads.total: all-threads, threads.order: created-asc, auth.keys: listed-keys }\n',
  )
})
afterAll(() => rm(folder, { recursive: true }))

/** What a run that goes well writes. */
async function output(run: Start, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...args).outcome
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** What a run that is refused says. */
async function refusal(run: Start, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...args).outcome
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).not.toMatch(/^ +at /m)
  return stderr
}

/** The rows of a list, by gap. */
function rowsOf(list: string): Map<string, { mark: string; reading: string; from: string }> {
  const rows = list.matchAll(/^([* ][~ ]) (\S+\.\S+) +(\S+) {2,}(\S.*?) *$/gm)
  return new Map(
    [...rows].map(([, mark = '', gap = '', reading = '', from = '']) => [gap, { mark, reading, from }]),
  )
}

describe('readings list', () => {
  it.each([[[]], [['list']]])('has every gap, for %j', async (args) => {
    const text = await output(start, 'readings', ...args)
    const rows = rowsOf(text)
    expect([...rows.keys()]).toEqual(gapIds)
    for (const [gap, { mark, reading, from }] of rows) {
      const later = (pendingGaps as readonly string[]).includes(gap)
      expect([gap, mark, reading, from]).toEqual([
        gap,
        later ? ' ~' : '  ',
        defaultReadings[gap as keyof typeof gaps],
        'default',
      ])
    }
    expect(text).toContain('~ registered; deliveries are not simulated yet')
    expect(text).not.toContain('\x1b')
  })

  it('shows and marks who chose a reading: flags before the environment, then the scenario', async () => {
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

  it('lets --reading count for more than --readings, wherever it stands', async () => {
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
    [['--readings', 'seed:4', '--reading', 'threads.total=page-size']],
    [['--readings', 'mine.yaml']],
    [['--readings', 'threads.total=page-size,limits.rate=60-per-minute']],
    [[]],
  ])('is what serve begins with: %j', async (flags) => {
    const args = flags.map((flag) => (flag.endsWith('.yaml') ? path(flag) : flag))
    const run = start.with({ MAILBOX_SIM_READINGS: 'worst-case' })
    const server = run(path('story.yaml'), '--port', '0', '--json', ...args)
    const { control } = JSON.parse(await nextLine(server))
    const served = await (await fetch(`${control}/readings`)).json()
    const listed = await output(run, 'readings', '--json', '--scenario', path('story.yaml'), ...args)
    expect(JSON.parse(listed)).toEqual(served)
  })

  it.each([
    [['--readings', 'worst'], /--readings: There is no profile "worst"; did you mean "worst-case"/],
    [['--readings', 'threads.total=most'], /--readings: "most" is not a reading of threads\.total/],
    [['--reading', 'threads.totl=most'], /no gap "threads\.totl"; did you mean "threads\.total"/],
    [['--scenario', 'nowhere'], /no scenario of that name; there is .*support-desk/],
    [
      ['lisst'],
      /readings takes list, show, profile, not 'lisst'\nDid you mean agent-mailbox-sim readings list\?/,
    ],
    [['thread.total'], /not 'thread\.total'\nDid you mean agent-mailbox-sim readings show threads\.total\?/],
    [['list', 'weather'], /not 'weather'\n(?!Did)/],
    [['--raeding', 'x'], /unknown option '--raeding'.*\n?.*--reading/],
  ])('%j is explained, with status 2', async (args, explanation) => {
    expect(await refusal(start, 'readings', ...args)).toMatch(explanation)
  })

  it('names the variable of the environment that is wrong', async () => {
    const run = start.with({ MAILBOX_SIM_READINGS: 'threads.total' })
    expect(await refusal(run, 'readings')).toMatch(/error: MAILBOX_SIM_READINGS: .*threads\.total/)
    expect(await refusal(run, 'serve', '--port', '0')).toMatch(/error: MAILBOX_SIM_READINGS: /)
  })
})

describe('readings show', () => {
  it('tells everything about a gap', async () => {
    const text = await output(start, 'readings', 'show', 'threads.total')
    const gap: Gap = gaps['threads.total']
    const stated = [gap.question, gap.advice, gap.evidence, 'Interface 4.3', 'threads.list']
    for (const part of stated) expect(text).toContain(part)
    for (const { means, example } of gap.readings)
      expect(text).toContain(`    ${means}\n    A client sees: ${example}\n`)
    expect(text).toMatch(/^ {2}all-matches \(default\)$/m)
    expect(text).toMatch(/^ {2}page-size \(worst-case\)$/m)
    expect(text).toMatch(/^ {2}all-threads$/m)
    expect(text).not.toContain('not simulated yet')
  })

  it('tells of several, and of what is not simulated yet', async () => {
    const text = await output(start, 'readings', 'show', 'auth.keys', 'events.retries')
    expect(text).toMatch(/^auth\.keys\n[\s\S]*^events\.retries\n/m)
    expect(text).toContain('events.retries is registered; deliveries are not simulated yet.')
  })

  it('--json has every gap, one a line', async () => {
    const lines = (await output(start, 'readings', 'show', ...gapIds, '--json')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      gapIds.map((id) => {
        const { readings, worst, settled, ...gap }: Gap = gaps[id]
        const shown = readings.map((reading, index) => {
          return { ...reading, default: index === 0, worst: reading.name === worst }
        })
        return { gap: id, ...gap, readings: shown, settled: settled ?? 'now' }
      }),
    )
  })

  it.each([
    [['total'], /no gap "total"; did you mean "threads\.total" or "messages\.total"\?/],
    [['auth.keys', 'threads.totl'], /no gap "threads\.totl"; did you mean "threads\.total"\?/],
    [['weather'], /no gap "weather"; agent-mailbox-sim readings list shows them all/],
    [['__proto__'], /no gap "__proto__"/],
    [[], /missing required argument 'gap'/],
  ])('%j is refused, with status 2', async (names, explanation) => {
    expect(await refusal(start, 'readings', 'show', ...names)).toMatch(explanation)
  })
})

describe('readings profile', () => {
  it.each(['default', 'worst-case', 'seed:7'])('%s is a file that gives it again', async (name) => {
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

  it('of a file holds what the file extends as well', async () => {
    const text = await output(start, 'readings', 'profile', path('mine.yaml'), '--json')
    const expected = { ...profileReadings('worst-case'), 'auth.missing-status': '401' }
    expect(JSON.parse(text)).toEqual({ readings: expected })
  })

  it.each([
    ['worst', /no profile "worst"; did you mean "worst-case"/],
    ['./nowhere.yaml', /no file of readings "\.\/nowhere\.yaml"/],
  ])('%s is refused, with status 2', async (name, explanation) => {
    expect(await refusal(start, 'readings', 'profile', name)).toMatch(explanation)
  })

  it('names the place of what is wrong in a file', async () => {
    const typo = path('typo.yaml')
    const place = `${typo}:2:17: There is no gap "threads.totl"; did you mean "threads.total"?\n`
    expect(await refusal(start, 'readings', 'profile', typo)).toBe(`error: ${place}`)
    expect(await refusal(start, 'readings', '--readings', typo)).toBe(`error: --readings: ${place}`)
    expect(await refusal(start, '--port', '0', '--readings', typo)).toBe(`error: --readings: ${place}`)
  })
})

describe('help of readings', () => {
  it.each([
    [['--help'], ['list', 'show', 'profile', 'Examples:']],
    [
      ['list', '--help'],
      ['--scenario ', '--readings ', '--reading ', '--json ', 'MAILBOX_SIM_READINGS'],
    ],
    [
      ['show', '--help'],
      ['<gap...>', '--json '],
    ],
    [
      ['profile', '--help'],
      ['<name|file>', '--json '],
    ],
  ])('%j shows what there is', async (args, parts) => {
    const text = await output(start, 'readings', ...args)
    for (const part of parts) expect(text).toContain(part)
  })
})
