import { describe, expect, it } from 'vitest'
import { gapIds, gaps } from '../../src/contract/gaps.js'
import { mailboxOf } from './instance.js'
import { judge } from './judge.js'

const mailbox = mailboxOf(8)
const byWrites = gapIds.filter((gap) => gaps[gap].learnedBy === 'writes')
const writing = { needs: ['reads', 'writes'], agent: 'support' } as const
const before = { display_name: 'Support', description: 'Answers customers' }
const news = { to: 'support', from: 'Ann <ann@example.com>', subject: 'News', text: 'Some news.' }

describe('calibrating with writes', () => {
  it('learns from updates and restores the identity', async () => {
    const { learned, wrong, identity } = await judge(mailbox, 'seed:5', writing)
    expect(wrong).toEqual([])
    expect(learned).toEqual(expect.arrayContaining(byWrites))
    expect(identity()).toEqual(before)
  })

  it('restores the identity if the answer to an update is lost', async () => {
    const { calibration, identity } = await judge(
      mailbox,
      { 'identities.patch-null': 'null' },
      {
        ...writing,
        proxy: (fetch) => async (request) => {
          const body = await request.clone().text()
          const answer = await fetch(request)
          if (body === '{"description":null}') throw new Error('The network is gone')
          return answer
        },
      },
    )
    expect(calibration.stopped?.message).toContain('The network is gone')
    expect(identity()).toEqual(before)
  })

  it('does not mistake new mail for a thread that stays unread', async () => {
    const { wrong, findings } = await judge(
      mailbox,
      { 'threads.unread-after-read': 'becomes-read' },
      {
        ...writing,
        proxy: (fetch, simulator) => async (request) => {
          const answer = await fetch(request)
          const thread = /thread_id=(thrd_[^&]+)&limit=1$/.exec(request.url)?.[1]
          const isShown = thread !== undefined && !(await answer.clone().text()).includes('"messages":[]')
          if (isShown) await simulator.mail.receive({ ...news, thread })
          return answer
        },
      },
    )
    expect(wrong).toEqual([])
    expect(findings.find(({ gap }) => gap === 'threads.unread-after-read')).toMatchObject({
      status: 'unknown',
      because: 'a message arrived in the thread while it was listed',
    })
  })

  it('reports a missing agent', async () => {
    const { findings } = await judge(mailbox, 'default', { ...writing, agent: 'suport' })
    for (const finding of findings.filter(({ gap }) => byWrites.includes(gap))) {
      expect(finding).toMatchObject({ status: 'unknown', because: 'there is no agent "suport" to update' })
    }
  })
})
