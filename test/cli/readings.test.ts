import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type Gap, gapIds, gaps } from '../../src/contract/gaps.js'
import { profileReadings } from '../../src/world/readings.js'
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

  it.each([
    [['total'], /no gap "total"; did you mean "threads\.total" or "messages\.total"\?/],
    [['auth.keys', 'threads.totl'], /no gap "threads\.totl"; did you mean "threads\.total"\?/],
    [['weather'], /no gap "weather"; npx agent-mailbox-sim readings list shows them all/],
    [['__proto__'], /no gap "__proto__"/],
    [[], /missing required argument 'gap'/],
  ])('%j is refused, with status 2', async (names, explanation) => {
    expect(await refusal(start, 'readings', 'show', ...names)).toMatch(explanation)
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

  it.each([
    ['worst', /no profile "worst"; did you mean "worst-case"/],
    ['./nowhere.yaml', /no file of readings "\.\/nowhere\.yaml"/],
  ])('%s is refused, with status 2', async (name, explanation) => {
    expect(await refusal(start, 'readings', 'profile', name)).toMatch(explanation)
  })

  it('names the place of a problem in a file', async () => {
    const typo = path('typo.yaml')
    const place = `${typo}:2:17: There is no gap "threads.totl"; did you mean "threads.total"?\n`
    expect(await refusal(start, 'readings', 'profile', typo)).toBe(`error: ${place}`)
    expect(await refusal(start, 'readings', '--readings', typo)).toBe(`error: --readings: ${place}`)
    expect(await refusal(start, '--port', '0', '--readings', typo)).toBe(`error: --readings: ${place}`)
  })
})
