import { describe, expect, it } from 'vitest'
import { openRun } from '../../../test/support/replay/checked-run.fixture.js'
import { ask } from '../../../test/support/simulator/asked-desk.js'
import { createSimulator } from '../../doors/simulator/create-simulator.js'
import { ExpectationChecker } from './expectation-checker.js'

const twice = [{ request: 'threads.list', times: 2 } as const]

describe('ExpectationChecker', () => {
  it('returns results in the order of the file, with the descriptions of the scenario', async () => {
    const run = await openRun({
      expect: [
        { describe: 'It asked for threads twice.', ...twice[0] },
        { key: 'calm', errors: 'none' },
        { identity: 'sales', has: { display_name: 'sales' } },
      ],
    })
    await run.pass('1m')
    const common = { key: null, passed: true, at: '2026-01-05T09:01:00.000Z', nearest: null }
    const [calm, named] = [
      'no request with a 4xx status',
      'identity sales has display_name "sales" at the end',
    ]
    expect(run.checker.results()).toEqual([
      {
        ...{ ...common, index: 0, kind: 'request', describe: 'It asked for threads twice.', passed: false },
        ...{ expected: 'exactly 2 requests of threads.list', found: 'no request came' },
      },
      {
        ...{ ...common, index: 1, kind: 'errors', key: 'calm', describe: 'No request with a 4xx status.' },
        ...{ expected: calm, found: 'no request came' },
      },
      {
        ...{ ...common, index: 2, kind: 'identity', describe: `I${named.slice(1)}.` },
        ...{ expected: named, found: 'display_name: "sales"' },
      },
    ])
  })

  it('does not depend on what becomes of the journal, until it is closed', async () => {
    const run = await openRun({ expect: twice })
    await run.ask('/mail/threads')
    run.simulator.journal.clear()
    await run.ask('/mail/threads')
    expect(run.result()).toMatchObject({ passed: true, found: '2 of 2 requests' })
    run.checker.close()
    await run.ask('/mail/threads')
    expect(run.result()).toMatchObject({ passed: true, found: '2 of 2 requests' })
  })

  it('restarts at a reset', async () => {
    const run = await openRun({
      timeline: [{ key: 'news', after: '0s', receive: { to: 'sales', subject: 'News', text: 'x' } }],
      expect: [...twice, { request: 'threads.list', after: 'news' }],
    })
    await run.ask('/mail/threads')
    expect(run.passed()).toEqual([false, true])
    run.simulator.reset()
    expect(run.result(0).found).toBe('no request came')
    await run.ask('/mail/threads')
    await run.ask('/mail/threads')
    expect(run.passed()).toEqual([true, true])
  })

  it('knows the played timeline of a restored world', async () => {
    const run = await openRun({
      timeline: [
        { key: 'early', after: '10s', receive: { to: 'sales', subject: 'Early', text: 'x' } },
        { key: 'late', after: '1m', receive: { to: 'sales', subject: 'Late', text: 'x' } },
      ],
      expect: [
        { request: 'threads.list', after: 'early', within: '1m' },
        { request: 'threads.list', after: 'late' },
      ],
    })
    await run.pass('30s')
    const snapshot = run.simulator.snapshot()
    await run.pass('5m')
    run.simulator.restore(snapshot)
    await run.ask('/mail/threads')
    expect(run.passed()).toEqual([true, false])
    await run.pass('30s')
    await run.ask('/mail/threads')
    expect(run.passed()).toEqual([true, true])
  })

  it('reads past events when created late', async () => {
    const run = await openRun({
      timeline: [{ key: 'news', after: '1m', receive: { to: 'sales', subject: 'News', text: 'x' } }],
      expect: [
        { request: 'threads.list', before: 'news' },
        { request: 'threads.list', after: 'news', within: '10s' },
        { errors: 'none' },
      ],
    })
    await run.ask('/mail/threads')
    await run.pass('1m')
    await run.ask('/mail/threads?limit=none')
    const late = new ExpectationChecker(run.simulator)
    expect(late.results()).toEqual(run.checker.results())
    expect(run.passed()).toEqual([true, true, false])
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
    const checker = new ExpectationChecker(simulator)
    await ask(simulator, `/api/v1/mail/threads?agent=${key}x`)
    const text = JSON.stringify(checker.results())
    expect(text).not.toContain(key)
    expect(text.match(/\*{3}/g)?.length).toBeGreaterThan(4)
    simulator.close()
  })

  it('fails an expectation that it cannot evaluate, even with times: 0', async () => {
    const where = { query: { agent: { matches: '^(a+)+\\1$' } } }
    const run = await openRun({ expect: [{ request: 'threads.list', where, times: 0 }] })
    await run.ask(`/mail/threads?agent=${'a'.repeat(60)}!`)
    expect(run.lines()).toEqual([
      'failed 0s into the story',
      'expected no request of threads.list with query.agent matching /^(a+)+\\1$/',
      expect.stringMatching(/^found the pattern .* took longer than 250 ms for a text of 61 characters/),
    ])
  })
})
