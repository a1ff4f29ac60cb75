import { describe, expect, it } from 'vitest'
import { openRun } from '../../test/support/replay/checked-run.fixture.js'
import { toHaveKept } from './violations.js'

const threads = '/mail/threads?agent=support'

describe('toHaveKept', () => {
  it('names the broken invariant, the request and the advice', async () => {
    const run = await openRun({})
    run.simulator.faults.add({ operation: 'threads.list', status: 503, retry_after: 5, times: 1 })
    await run.ask(threads)
    await run.ask(threads)
    const { pass, message } = toHaveKept(run.simulator)
    expect(pass).toBe(false)
    expect(message()).toMatch(/^ {2}obeys-retry-after: a request repeated \S+ after an answer 503/m)
    expect(message()).toContain('GET /api/v1/mail/threads?agent=support → 200')
    expect(message()).toContain('Wait as many seconds as Retry-After says')
    expect(toHaveKept(run.simulator, ['gives-up', 'ends']).pass).toBe(true)
  })

  it('fails without requests and refuses unknown names', async () => {
    const { simulator } = await openRun({})
    expect(toHaveKept(simulator)).toMatchObject({ pass: false })
    expect(toHaveKept(simulator).message()).toContain('No request has come to world_1')
    expect(() => toHaveKept(simulator, ['give-up' as 'gives-up'])).toThrow('did you mean "gives-up"?')
  })
})
