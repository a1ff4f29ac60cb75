import { describe, expect, it } from 'vitest'
import { createSimulator } from '../../simulator/create-simulator.js'
import { ask } from '../../simulator/matchers/asked-desk.fixture.js'
import { Judge } from './judge.js'
import { openTrial } from './judged-story.fixture.js'

const twice = [{ request: 'threads.list', times: 2 } as const]

describe('a judge', () => {
  it('gives verdicts in the order of the file, in the words of the scenario where it has any', async () => {
    const trial = await openTrial({
      expect: [
        { describe: 'It asked for threads twice.', ...twice[0] },
        { key: 'calm', errors: 'none' },
        { identity: 'sales', has: { display_name: 'sales' } },
      ],
    })
    await trial.pass('1m')
    expect(trial.judge.verdicts()).toEqual([
      {
        index: 0,
        key: null,
        kind: 'request',
        describe: 'It asked for threads twice.',
        passed: false,
        at: '2026-01-05T09:01:00.000Z',
        expected: 'exactly 2 requests of threads.list',
        found: 'no request came',
        nearest: null,
      },
      {
        index: 1,
        key: 'calm',
        kind: 'errors',
        describe: 'No answer with a 4xx status.',
        passed: true,
        at: '2026-01-05T09:01:00.000Z',
        expected: 'no answer with a 4xx status',
        found: 'no request came',
        nearest: null,
      },
      {
        index: 2,
        key: null,
        kind: 'identity',
        describe: 'Identity sales has display_name "sales" at the end.',
        passed: true,
        at: '2026-01-05T09:01:00.000Z',
        expected: 'identity sales has display_name "sales" at the end',
        found: 'display_name: "sales"',
        nearest: null,
      },
    ])
  })

  it('gives the end that it is told', async () => {
    const trial = await openTrial({ expect: twice })
    await trial.pass('1m')
    const [verdict] = trial.judge.verdicts('2026-01-05T10:00:00Z')
    expect(verdict?.at).toBe('2026-01-05T10:00:00.000Z')
    expect(() => trial.judge.verdicts('soon')).toThrow('"soon" is not an ISO 8601 instant.')
  })

  it('counts on when the journal is cleared or forgets', async () => {
    const trial = await openTrial({ expect: twice })
    await trial.ask('/mail/threads')
    trial.simulator.journal.clear()
    await trial.ask('/mail/threads')
    expect(trial.passed()).toEqual([true])
    expect(trial.verdict().found).toBe('2 of 2 requests')
  })

  it('begins anew after a reset, with the timeline as well', async () => {
    const trial = await openTrial({
      timeline: [{ key: 'news', after: '0s', receive: { to: 'sales', subject: 'News', text: 'x' } }],
      expect: [...twice, { request: 'threads.list', after: 'news' }],
    })
    await trial.ask('/mail/threads')
    expect(trial.passed()).toEqual([false, true])
    trial.simulator.reset()
    expect(trial.verdict(0).found).toBe('no request came')
    await trial.ask('/mail/threads')
    await trial.ask('/mail/threads')
    expect(trial.passed()).toEqual([true, true])
  })

  it('knows what a restored world has been through', async () => {
    const trial = await openTrial({
      timeline: [
        { key: 'early', after: '10s', receive: { to: 'sales', subject: 'Early', text: 'x' } },
        { key: 'late', after: '1m', receive: { to: 'sales', subject: 'Late', text: 'x' } },
      ],
      expect: [
        { request: 'threads.list', after: 'early', within: '1m' },
        { request: 'threads.list', after: 'late' },
      ],
    })
    await trial.pass('30s')
    const snapshot = trial.simulator.snapshot()
    await trial.pass('5m')
    trial.simulator.restore(snapshot)
    await trial.ask('/mail/threads')
    expect(trial.passed()).toEqual([true, false])
    await trial.pass('30s')
    await trial.ask('/mail/threads')
    expect(trial.passed()).toEqual([true, true])
  })

  it('that comes late knows what the events still tell', async () => {
    const trial = await openTrial({
      timeline: [{ key: 'news', after: '1m', receive: { to: 'sales', subject: 'News', text: 'x' } }],
      expect: [
        { request: 'threads.list', before: 'news' },
        { request: 'threads.list', after: 'news', within: '10s' },
        { errors: 'none' },
        { reliances: [] },
      ],
    })
    await trial.ask('/mail/threads')
    await trial.pass('1m')
    await trial.ask('/mail/threads?limit=none')
    const late = new Judge(trial.simulator)
    expect(late.verdicts()).toEqual(trial.judge.verdicts())
    expect(trial.passed()).toEqual([true, true, false, false])
  })

  it('watches no more once it is closed', async () => {
    const trial = await openTrial({ expect: twice })
    await trial.ask('/mail/threads')
    trial.judge.close()
    await trial.ask('/mail/threads')
    expect(trial.verdict().found).toBe('1 of 1 request')
  })

  it('can still be asked when the world was closed', async () => {
    const trial = await openTrial({
      expect: [...twice, { identity: 'sales', has: { display_name: 'sales' } }],
    })
    trial.simulator.close()
    expect(trial.passed()).toEqual([false, true])
  })

  it('judges the world that it was given, and no other', async () => {
    const trial = await openTrial({ expect: twice })
    const fork = trial.simulator.fork()
    const judge = new Judge(fork)
    await ask(fork, '/api/v1/mail/threads')
    expect(trial.verdict().found).toBe('no request came')
    expect(judge.verdicts()[0]?.found).toBe('1 of 1 request')
  })

  it('masks keys and tokens', async () => {
    const key = 'a-very-secret-key'
    const simulator = await createSimulator({
      scenario: {
        scenario: 'secrets',
        organization: { api_keys: [key] },
        identities: [{ handle: 'support', description: `The key is ${key}` }],
        expect: [
          { identity: 'support', has: { description: `Not ${key}` } },
          { request: 'threads.list', where: { query: { agent: key } }, describe: `Asked with ${key}` },
        ],
      },
    })
    const judge = new Judge(simulator)
    await ask(simulator, `/api/v1/mail/threads?agent=${key}x`)
    const text = JSON.stringify(judge.verdicts())
    expect(text).not.toContain(key)
    expect(text.match(/\*{3}/g)?.length).toBeGreaterThan(4)
    simulator.close()
  })
})
