import { describe, expect, it } from 'vitest'
import { openTrial } from './judged-story.fixture.js'

describe('an expectation of no errors', () => {
  it('is that no answer has a 4xx status', async () => {
    const trial = await openTrial({ expect: [{ errors: 'none' }] })
    expect(trial.told()).toEqual([
      'passed 0s into the story',
      'expected no answer with a 4xx status',
      'found no request came',
    ])
    await trial.ask('/mail/threads')
    expect(trial.told()[2]).toBe('found none in 1 request')
    await trial.pass('10s')
    await trial.ask('/mail/threads?limit=500')
    await trial.ask('/mail/threads?limit=0')
    await trial.ask('/mail/thread')
    await trial.pass('10s')
    expect(trial.told()).toEqual([
      'failed 10s into the story',
      'expected no answer with a 4xx status',
      'found 400 twice, 404 once in 4 requests',
      'nearest GET /api/v1/mail/threads?limit=500 400, 2, 10s',
      '  status: expected none from 400 to 499, found 400',
      '  answer: {"error":{"code":"invalid_request","message":"limit must be an integer from 1 to 100, not \\"500\\"."}}',
    ])
    expect(trial.judge.decided()).toHaveLength(1)
  })

  it('lets some statuses pass', async () => {
    const trial = await openTrial({ expect: [{ errors: 'none', except: [404, 410] }] })
    await trial.ask('/identities/nobody')
    expect(trial.told()).toEqual([
      'passed 0s into the story',
      'expected no answer with a 4xx status but 404, 410',
      'found none in 1 request',
    ])
    await trial.ask('/mail/threads?limit=0')
    expect(trial.told()[4]).toBe('  status: expected none from 400 to 499 but 404, 410, found 400')
  })

  it('says what an unknown path came closest to', async () => {
    const trial = await openTrial({ expect: [{ errors: 'none' }] })
    await trial.ask('/mail/thread')
    expect(trial.told().slice(3, 6)).toEqual([
      'nearest GET /api/v1/mail/thread 404, 1, 0s',
      '  status: expected none from 400 to 499, found 404',
      '  GET /api/v1/mail/thread: no such path; GET /api/v1/mail/threads differs in one segment',
    ])
  })

  it('holds nobody to blame for a status that a fault gave, but for the mistakes among late and broken answers', async () => {
    const trial = await openTrial({
      timeline: [
        { after: '0s', fault: { operation: 'threads.list', status: 429, times: 1 } },
        { after: '0s', fault: { operation: 'messages.list', truncate: 5, times: 1 } },
        { after: '0s', fault: { operation: 'identities.get', status: 503, times: 1 } },
      ],
      expect: [{ errors: 'none' }],
    })
    await trial.ask('/mail/threads')
    await trial.ask('/identities/support')
    expect(trial.passed()).toEqual([true])
    await trial.ask('/mail/messages?limit=none')
    expect(trial.told()[3]).toBe(
      'nearest GET /api/v1/mail/messages?limit=none 400, disturbed by fault_2, 3, 0s',
    )
  })
})
