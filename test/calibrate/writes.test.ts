import { describe, expect, it } from 'vitest'
import type { Fetch } from '../../src/calibrate/service-client.js'
import { gapIds, gaps } from '../../src/contract/gaps.js'
import type { Simulator } from '../../src/index.js'
import { mailboxOf } from './instance.js'
import { judge } from './judge.js'

const mailbox = mailboxOf(20)
const byWrites = gapIds.filter((gap) => gaps[gap].learnedBy === 'writes')

function identityOf(simulator: Simulator): object {
  const { display_name, description } = simulator.identities.get('support') as unknown as Record<
    string,
    unknown
  >
  return { display_name, description }
}

describe('calibrating with writes', () => {
  it('learns from updates and restores the identity', async () => {
    const { learned, wrong, simulator } = await judge(mailbox, 'seed:5', {
      needs: ['reads', 'writes'],
      agent: 'support',
    })
    expect(wrong).toEqual([])
    expect(learned).toEqual(expect.arrayContaining(byWrites))
    expect(identityOf(simulator)).toEqual({ display_name: 'Support', description: 'Answers customers' })
  })

  it('restores the identity if the answer to an update is lost', async () => {
    const losing = (fetch: Fetch): Fetch => {
      return async (request) => {
        const body = await request.clone().text()
        const answer = await fetch(request)
        if (body === '{"description":null}') throw new Error('The network is gone')
        return answer
      }
    }
    const readings = { 'identities.patch-null': 'null' }
    const { calibration, simulator } = await judge(mailbox, readings, {
      ...{ needs: ['reads', 'writes'], agent: 'support', proxy: losing },
    })
    expect(calibration.stopped?.message).toContain('The network is gone')
    expect(identityOf(simulator)).toEqual({ display_name: 'Support', description: 'Answers customers' })
  })

  it('claims nothing false if mail arrives before its last steps', async () => {
    const arriving = (fetch: Fetch, simulator: Simulator): Fetch => {
      return async (request) => {
        if (request.method === 'PATCH') {
          const mail = { to: 'support', from: 'Ann <ann@example.com>', subject: 'News', text: 'Some news.' }
          await simulator.mail.receive(mail)
        }
        return fetch(request)
      }
    }
    const readings = { 'threads.limit-out-of-range': 'default' }
    const { wrong, learned } = await judge(mailboxOf(130), readings, {
      ...{ needs: ['reads', 'writes'], agent: 'support', proxy: arriving },
    })
    expect(wrong).toEqual([])
    expect(learned).toContain('threads.unread-after-read')
  })

  it('does not mistake new mail for a thread that stays unread', async () => {
    const arriving = (fetch: Fetch, simulator: Simulator): Fetch => {
      return async (request) => {
        const answer = await fetch(request)
        const { searchParams } = new URL(request.url)
        const id = searchParams.get('thread_id')
        if (id !== null && searchParams.get('limit') === '1') {
          const { messages } = (await answer.clone().json()) as { messages: object[] }
          const mail = { to: 'support', from: 'Ann <ann@example.com>', text: 'And?', thread: id }
          if (messages.length > 0) await simulator.mail.receive(mail)
        }
        return answer
      }
    }
    const { wrong, findings } = await judge(
      mailbox,
      { 'threads.unread-after-read': 'becomes-read' },
      {
        ...{ needs: ['reads', 'writes'], agent: 'support', proxy: arriving },
      },
    )
    expect(wrong).toEqual([])
    expect(findings.find(({ gap }) => gap === 'threads.unread-after-read')).toMatchObject({
      status: 'unknown',
      because: 'mail came into the thread while it was listed',
    })
  })

  it('reports a missing agent', async () => {
    const { findings } = await judge(mailbox, 'default', { needs: ['reads', 'writes'], agent: 'suport' })
    for (const gap of byWrites) {
      const finding = findings.find((one) => one.gap === gap)
      expect(finding).toMatchObject({ status: 'unknown', because: 'there is no agent "suport" to update' })
    }
  })
})
