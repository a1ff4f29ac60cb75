import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeAssumptions, type Gap } from '../../src/contract/gaps/gap.js'
import { assumptionsOf, defaultAssumptions, gapIds, gaps } from '../../src/contract/gaps.js'
import { profileAssumptions } from '../../src/service/assumptions/assumptions.js'
import { sharedFolder } from '../support/temporary-folder.js'
import { programInProcess } from './in-process.js'
import { output, refusal } from './outcomes.js'

const start = programInProcess()

/** Files of assumptions and a scenario. */
const files = {
  'mine.yaml': 'extends: worst-case\nassume:\n  auth.missing-status: 401\n',
  'typo.yaml': 'assume:\n  threads.totl: page-size\n',
  'story.yaml':
    'scenario: story\nassume: { threads.total: all-threads, threads.order: created-asc, auth.keys: listed-keys }\n',
}

const folder = sharedFolder()
const path = (name: string) => join(folder, name)
for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text)

describe('assumptions show', () => {
  it('shows everything about a gap', async () => {
    const text = await output(start, 'assumptions', 'show', 'threads.total')
    const gap: Gap = gaps['threads.total']
    const stated = [gap.question, gap.advice, gap.evidence, 'Interface 4.3', 'threads.list']
    for (const part of stated) expect(text).toContain(part)
    for (const { means, example } of describeAssumptions(gap))
      expect(text).toContain(`    ${means}\n    A client sees: ${example}\n`)
    expect(text).toMatch(/^ {2}all-matches \(default\)$/m)
    expect(text).toMatch(/^ {2}page-size \(worst-case\)$/m)
    expect(text).toMatch(/^ {2}all-threads$/m)
  })

  it('shows gaps of the extensions that ship without --extend', async () => {
    const text = await output(start, 'assumptions', 'show', 'common.send-status', 'threads.total')
    expect(text).toContain('Treat any status from 200 to 299 as success.')
    expect(text).toMatch(/^threads\.total$/m)
  })

  it('says how to show a gap of another extension', async () => {
    const { status, stderr } = await start('assumptions', 'show', 'own.status').outcome
    expect([status, stderr]).toEqual([2, expect.stringContaining('with --extend FILE')])
  })

  it('--json writes a line for each gap', async () => {
    const lines = (await output(start, 'assumptions', 'show', ...gapIds, '--json')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      gapIds.map((id) => {
        const { assumptions, worst, learnedBy, byNameOnly, default: first, ...gap }: Gap = gaps[id]
        const shown = assumptionsOf(id).map((assumption, index) => {
          return { ...assumption, default: index === 0, worst: assumption.name === worst }
        })
        return { gap: id, ...gap, learned_by: learnedBy, assumptions: shown }
      }),
    )
  })
})

describe('assumptions profile', () => {
  it.each(['default', 'worst-case', 'seed:7'])('%s is a file with the same assumptions', async (name) => {
    for (const [file, args] of [
      ['kept.yaml', []],
      ['kept.json', ['--json']],
    ] as const) {
      await writeFile(path(file), await output(start, 'assumptions', 'profile', name, ...args))
      const run = start.with({ MAILBOX_SIM_ASSUME: 'seed:1' })
      const listed = await output(run, 'assumptions', '--json', '--assume', path(file))
      expect(JSON.parse(listed).assumptions).toEqual(profileAssumptions(name))
    }
  })

  it('of a file includes the profile that it extends', async () => {
    const text = await output(start, 'assumptions', 'profile', path('mine.yaml'), '--json')
    const expected = { ...profileAssumptions('worst-case'), 'auth.missing-status': '401' }
    expect(JSON.parse(text)).toEqual({ assume: expected })
  })

  it('names the place of a problem in a file', async () => {
    const typo = path('typo.yaml')
    const place = `${typo}:2:3: assume.threads.totl: There is no gap "threads.totl"; did you mean "threads.total"?\n`
    expect(await refusal(start, 'assumptions', 'profile', typo)).toBe(`error: ${place}`)
    expect(await refusal(start, 'assumptions', '--assume', typo)).toBe(`error: --assume: ${place}`)
    expect(await refusal(start, '--port', '0', '--assume', typo)).toBe(`error: --assume: ${place}`)
  })
})

/** The rows of a list, by gap. */
function rowsOf(list: string): Map<string, { mark: string; assumption: string; from: string }> {
  const rows = list.matchAll(/^([* ]) (\S+\.\S+) +(\S+) {2,}(\S.*?) *$/gm)
  return new Map(
    [...rows].map(([, mark = '', gap = '', assumption = '', from = '']) => [gap, { mark, assumption, from }]),
  )
}

describe('assumptions list', () => {
  it.each([[[]], [['list']]])('lists every gap for %j', async (args) => {
    const text = await output(start, 'assumptions', ...args)
    const rows = rowsOf(text)
    expect([...rows.keys()]).toEqual(gapIds)
    for (const [gap, { mark, assumption, from }] of rows) {
      expect([gap, mark, assumption, from]).toEqual([
        gap,
        ' ',
        defaultAssumptions[gap as keyof typeof gaps],
        'default',
      ])
    }
    expect(text).not.toContain('\x1b')
  })

  it('shows the origin of each assumption: flags, then the environment, then the scenario', async () => {
    const run = start.with({ MAILBOX_SIM_ASSUME: 'threads.order=created-desc,threads.snippet=first' })
    const choices = [
      'threads.unscoped=rejected',
      'threads.unscoped=empty',
      'threads.snippet=latest,limits.rate=none',
    ]
    const args = choices.flatMap((choice) => ['--assume', choice])
    const rows = rowsOf(await output(run, 'assumptions', '--scenario', path('story.yaml'), ...args))
    const chosen = [...rows].filter(([, { mark }]) => mark.startsWith('*'))
    expect(
      Object.fromEntries(chosen.map(([gap, { assumption, from }]) => [gap, [assumption, from]])),
    ).toEqual({
      'auth.keys': ['listed-keys', 'scenario'],
      'threads.total': ['all-threads', 'scenario'],
      'threads.order': ['created-desc', 'MAILBOX_SIM_ASSUME'],
      'threads.snippet': ['latest', '--assume'],
      'limits.rate': ['none', '--assume'],
      'threads.unscoped': ['empty', '--assume'],
    })
  })

  it('names the invalid environment variable', async () => {
    const run = start.with({ MAILBOX_SIM_ASSUME: 'threads.total' })
    expect(await refusal(run, 'assumptions')).toMatch(/error: MAILBOX_SIM_ASSUME: .*threads\.total/)
    expect(await refusal(run, 'serve', '--port', '0')).toMatch(/error: MAILBOX_SIM_ASSUME: /)
  })
})
