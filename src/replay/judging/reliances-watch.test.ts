import { describe, expect, it } from 'vitest'
import { gaps } from '../../contract/gaps.js'
import { openTrial } from './judged-story.fixture.js'

describe('an expectation of reliances', () => {
  it('is that exchanges rely on nothing else', async () => {
    const trial = await openTrial({ expect: [{ reliances: ['format.timestamps'] }, { reliances: [] }] })
    expect(trial.told(0)).toEqual([
      'passed 0s into the story',
      'expected no reliance on any gap but format.timestamps',
      'found no reliance',
    ])
    await trial.ask('/identities/support')
    expect(trial.told(0)[2]).toBe('found format.timestamps')
    expect(trial.told(1)).toEqual([
      'failed 0s into the story',
      'expected no reliance on any gap',
      'found format.timestamps',
      'nearest GET /api/v1/identities/support 200, 1, 0s',
      `  format.timestamps: read milliseconds, in 1 request of identities.get. ${gaps['format.timestamps'].advice}`,
    ])
    await trial.pass('30s')
    await trial.ask('/mail/threads?agent=support&limit=1')
    await trial.ask('/mail/threads?agent=support&limit=1&offset=1')
    expect(trial.told(0)).toEqual([
      'failed 30s into the story',
      'expected no reliance on any gap but format.timestamps',
      'found threads.order, threads.total',
      'nearest GET /api/v1/mail/threads?agent=support&limit=1 200, 2, 30s',
      ...(['threads.order', 'threads.total'] as const).map((gap) => {
        const reading = gaps[gap].readings[0].name
        return `  ${gap}: read ${reading}, in 2 requests of threads.list. ${gaps[gap].advice}`
      }),
    ])
  })

  it('names the first few of many gaps, and has a line for each', async () => {
    const trial = await openTrial({ expect: [{ reliances: [] }] })
    await trial.read('Refund')
    await trial.ask('/mail/threads?agent=support')
    const [, , found, , ...lines] = trial.told()
    expect(lines.length).toBeGreaterThan(4)
    const [first, second, third] = lines.map((line) => line.trim().split(':', 1)[0])
    expect(found).toBe(`found ${first}, ${second}, ${third} and ${lines.length - 3} more`)
  })

  it('is that deliveries do not either', async () => {
    const trial = await openTrial({
      timeline: [{ after: '1m', receive: { to: 'sales', subject: 'Offer', text: 'Chairs?' } }],
      webhooks: [{ url: 'http://agent.test/hook', events: ['message.received'] }],
      receiver: () => new Response(),
      expect: [{ reliances: ['format.timestamps'] }],
    })
    await trial.pass('1m')
    expect(trial.told()).toEqual([
      'failed 1m into the story',
      'expected no reliance on any gap but format.timestamps',
      'found events.data, events.envelope, events.signature',
      'nearest message.received to http://agent.test/hook succeeded after 1 attempt, answered 200, no exchange, 1m',
      ...(['events.data', 'events.envelope', 'events.signature'] as const).map((gap) => {
        return `  ${gap}: read ${gaps[gap].readings[0].name}, in 1 delivery. ${gaps[gap].advice}`
      }),
    ])
  })
})
