import { describe, expect, it } from 'vitest'
import { openRun } from '../../../test/support/replay/checked-run.fixture.js'

describe('an expectation of no errors', () => {
  it('fails at a response with a 4xx status', async () => {
    const run = await openRun({ expect: [{ errors: 'none' }] })
    expect(run.lines()).toMatchSnapshot()
    await run.ask('/mail/threads')
    expect(run.lines()[2]).toBe('found none in 1 request')
    await run.pass('10s')
    await run.ask('/mail/threads?limit=500')
    await run.ask('/mail/threads?limit=0')
    await run.ask('/mail/thread')
    await run.pass('10s')
    expect(run.lines()).toMatchSnapshot()
    expect(run.checker.decided()).toHaveLength(1)
  })

  it('allows given statuses', async () => {
    const run = await openRun({ expect: [{ errors: 'none', except: [404, 410] }] })
    await run.ask('/identities/nobody')
    expect(run.lines()).toMatchSnapshot()
    await run.ask('/mail/threads?limit=0')
    expect(run.lines()[4]).toBe('  status: expected none from 400 to 499 but 404, 410, found 400')
  })

  it('shows the nearest path of an unknown one', async () => {
    const run = await openRun({ expect: [{ errors: 'none' }] })
    await run.ask('/mail/thread')
    expect(run.lines()).toMatchSnapshot()
  })

  it('ignores statuses that a fault set but not those of truncated responses', async () => {
    const run = await openRun({
      timeline: [
        { after: '0s', fault: { operation: 'threads.list', status: 429, times: 1 } },
        { after: '0s', fault: { operation: 'messages.list', truncate: 5, times: 1 } },
        { after: '0s', fault: { operation: 'identities.get', status: 503, times: 1 } },
      ],
      expect: [{ errors: 'none' }],
    })
    await run.ask('/mail/threads')
    await run.ask('/identities/support')
    expect(run.passed()).toEqual([true])
    await run.ask('/mail/messages?limit=none')
    expect(run.lines()[3]).toBe(
      'nearest GET /api/v1/mail/messages?limit=none 400, disturbed by fault_2, 12, 0s',
    )
  })
})
