import { describe, expect, it } from 'vitest'
import { openRun } from '../../../test/support/replay/checked-run.fixture.js'
import type { GapId } from '../../contract/gaps.js'

describe('an expectation of reliances', () => {
  it('fails at exchanges that rely on other gaps', async () => {
    const run = await openRun({ expect: [{ reliances: ['format.timestamps'] }, { reliances: [] }] })
    expect(run.lines(0)).toMatchSnapshot()
    await run.ask('/identities/support')
    expect(run.lines(0)[2]).toBe('found format.timestamps')
    expect(run.lines(1)).toMatchSnapshot()
    await run.pass('30s')
    await run.ask('/mail/threads?agent=support&limit=1')
    await run.ask('/mail/threads?agent=support&limit=1&offset=1')
    expect(run.lines(0)).toMatchSnapshot()
  })

  it('may name the gaps that must not be relied on', async () => {
    const run = await openRun({
      expect: [{ reliances: { not: ['format.timestamps'] } }, { reliances: { not: ['threads.total'] } }],
    })
    await run.ask('/identities/support')
    const [expected, found] = [
      'no response or delivery that depends on format.timestamps',
      'format.timestamps',
    ]
    expect(run.result(0)).toMatchObject({ passed: false, expected, found })
    expect(run.lines(0).at(-1)).toContain('pin it with `assume: { format.timestamps: milliseconds }`')
    expect(run.result(1).passed).toBe(true)
  })

  it('names the first three of many gaps and has a line for each', async () => {
    const listedBy = async (reliances: readonly GapId[]) => {
      const run = await openRun({ expect: [{ reliances: [...reliances] }] })
      await run.read('Refund')
      await run.ask('/mail/threads?agent=support')
      const [, , found, , ...lines] = run.lines()
      return { found, names: lines.map((line) => line.trim().split(':', 1)[0] as GapId) }
    }
    const { found, names } = await listedBy([])
    expect(names.length).toBeGreaterThan(4)
    expect(found).toBe(`found ${names.slice(0, 3).join(', ')} and ${names.length - 3} more`)
    // A fourth name is as short as "1 more".
    expect((await listedBy(names.slice(4))).found).toBe(`found ${names.slice(0, 4).join(', ')}`)
  })

  it('fails at deliveries that rely on other gaps, and counts each once', async () => {
    const statuses = [500, 200]
    const run = await openRun({
      timeline: [{ after: '1m', receive: { to: 'sales', subject: 'Offer', text: 'Chairs?' } }],
      webhooks: [{ url: 'http://agent.test/hook', events: ['message.received'] }],
      receiver: () => new Response(null, { status: statuses.shift() as number }),
      expect: [{ reliances: ['format.timestamps'] }],
    })
    await run.pass('2m')
    expect(statuses).toEqual([])
    expect(run.lines()).toMatchSnapshot()
  })
})
