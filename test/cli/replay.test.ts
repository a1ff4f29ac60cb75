import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { reportSchema } from '../replay/report-schema.js'
import { story } from '../replay/story.js'
import { programInProcess } from './in-process.js'
import { useFolder } from './temporary-folder.js'

const start = programInProcess()

/** Writes a short story without expectations; returns its path and what makes others beside it. */
async function useStory(more: Parameters<typeof story>[0] = { expect: [] }) {
  const path = await useFolder()
  await writeFile(path('story.json'), JSON.stringify(story(more)))
  return { file: path('story.json'), path }
}

describe('replay without a command', () => {
  it('plays the story at once and reports the result', async () => {
    const { file } = await useStory()
    const { status, stdout, stderr } = await start('replay', file).outcome
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('\n   10s  again\n') })
    expect(stdout).toMatch(
      /^✓ question passed: it has no expectations\n\n40s of story in \d+\.\d s; 0 requests/,
    )
  })

  it.each([
    ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'],
    ['scenario', '2026-01-05T09:00:00.000Z'],
  ])('begins at --start %s', async (flag, begins) => {
    const { file } = await useStory()
    const { stdout } = await start('replay', file, '--start', flag, '--reporter', 'json').outcome
    expect(JSON.parse(stdout).started_at).toBe(begins)
  })

  it('counts the entries that wait for the agent', async () => {
    const when = { request: 'threads.list' } as const
    const { file } = await useStory({ expect: [], timeline: [{ when, read: { thread: 'question' } }] })
    const { stderr } = await start('replay', file).outcome
    expect(stderr).toMatch(/^question: 1 timeline entry, /)
  })

  it('fails if the expectations do not hold', async () => {
    const { file } = await useStory({})
    const { status, stdout } = await start('replay', file, '--reporter', 'json').outcome
    const report = JSON.parse(stdout)
    expect(reportSchema.safeParse(report).error).toBeUndefined()
    expect({ status, passed: report.passed, verdicts: report.verdicts.length }).toEqual({
      status: 1,
      passed: false,
      verdicts: 2,
    })
  })

  it.each([
    ['human', /^✗ question failed: 2 of 2 expectations; The agent shows that it is busy: identity support, /],
    ['junit', /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites>\n/],
    ['markdown', /^### ❌ question failed: 2 of 2 expectations; The agent shows that it is busy: identity/],
  ])('writes a report for %s', async (format, beginning) => {
    const { file } = await useStory({})
    expect((await start('replay', file, '--reporter', format).outcome).stdout).toMatch(beginning)
  })
})
