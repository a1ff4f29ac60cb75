import { describe, expect, it } from 'vitest'
import { openRun } from '../../../test/support/replay/checked-run.fixture.js'

describe('an expectation of what is served', () => {
  it('fails at the response that exceeds the limit, and finds what the bodies in the journal add up to', async () => {
    const run = await openRun({
      timeline: [
        { after: '0s', fault: { operation: 'identities.get', reset: true, times: 1 } },
        { after: '0s', fault: { operation: 'messages.list', truncate: 5, times: 1 } },
      ],
      expect: [{ served: { at_most: 300 } }, { served: { at_most: '2000 tokens' } }],
    })
    for (const path of ['/identities/support', '/identities/support', '/mail/threads', '/mail/nothing']) {
      await run.ask(path).catch(() => {})
      await run.ask('/mail/messages?thread_id=none').catch(() => {})
    }
    expect(run.passed()).toEqual([false, true])
    const arrived = run.simulator.journal.exchanges().filter(({ fault }) => !fault?.reset)
    const bytes = arrived.reduce((sum, { response }) => sum + Buffer.byteLength(response.body ?? ''), 0)
    expect(run.lines()[2]).toContain(`found ${Number((bytes / 1000).toFixed(1))} kB, about `)
    expect(run.lines()).toMatchInlineSnapshot(`
      [
        "failed 0s into the story",
        "expected at most 300 bytes served",
        "found 1 kB, about 261 tokens in 8 responses",
        "nearest GET /api/v1/mail/threads 200, 5, 0s",
        "  served: expected at most 300 bytes, exceeded by the response of request 5 (589 bytes, about 148 tokens)",
      ]
    `)
  })

  it('counts the responses of one operation', async () => {
    const run = await openRun({
      expect: [
        { served: { at_most: '0.01 kB', operation: 'threads.list' } },
        { served: { at_most: '1 B', operation: 'messages.list' } },
      ],
    })
    await run.ask('/mail/threads')
    expect(run.passed()).toEqual([false, true])
  })

  it('names an unknown operation and a limit that is none', async () => {
    await expect(
      openRun({ expect: [{ served: { at_most: 1, operation: 'thread.list' as never } }] }),
    ).rejects.toThrow(/threads\.list/)
    await expect(openRun({ expect: [{ served: { at_most: '5 gallons' } }] })).rejects.toThrow(/200 kB/)
  })
})
