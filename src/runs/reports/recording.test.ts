import { createSimulator } from 'agent-mailbox-sim'
import { expect, it } from 'vitest'
import { formatReport } from './format-report.js'
import { type Report, recordWorld, type SharedRecording, withSharedBodies } from './report.js'

it('records equal bodies once, and writes them once into a page', async () => {
  const sim = await createSimulator({ scenario: 'support-desk', onUndocumented: () => undefined })
  const { getResponse } = await import('msw')
  const ask = async (path: string) =>
    getResponse(
      [...sim.handlers],
      new Request(`${sim.baseUrl}/api/v1/${path}`, { headers: { authorization: 'Bearer test-key' } }),
    )
  for (let poll = 0; poll < 3; poll++) await ask('mail/threads?limit=50')
  await ask('webhooks')
  const recorded = recordWorld(sim, [])
  expect(recorded.exchanges).toEqual(sim.journal.exchanges())
  const { bodies = [], ...page } = withSharedBodies(recorded) as SharedRecording
  const text = JSON.stringify(page)
  const [longest = ''] = bodies.toSorted((one, other) => other.length - one.length)
  expect(longest.length).toBeGreaterThan(5_000)
  expect(new Set(bodies).size).toBe(bodies.length)
  expect(text).not.toContain(JSON.stringify(longest).slice(1, 200))
  sim.close()
})

it('has no control characters and no line breaks in titles as Markdown', () => {
  const title = 'a title\u001b[31m\u0000\u0007\u009b of\n\n</summary>two lines'
  const report: Report = {
    headline: title,
    passed: false,
    findings: [{ kind: 'sent', title, passed: false, why: title, details: [['found', `${title}\u001b`]] }],
    notes: [title],
    facts: [],
    suites: [],
    document: {},
  } as never
  const text = formatReport('markdown', report)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in it.
  expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/)
  expect(text).toContain('\\u{1b}')
  for (const [, summary = ''] of text.matchAll(/<summary>(.*)$/gm)) expect(summary).toMatch(/<\/summary>$/)
})
