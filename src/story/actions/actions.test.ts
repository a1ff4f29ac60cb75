import { describe, expect, it } from 'vitest'
import type { ScenarioInput } from '../format/scenario.js'
import { loadScenario } from '../load.js'
import { type ActionName, actionNames } from './actions.js'

const desk: ScenarioInput = {
  scenario: 'desk',
  identities: [
    {
      handle: 'support',
      threads: [
        {
          key: 'refund',
          subject: 'Refund',
          messages: [
            { at: '-2d', from: 'Ann Lee <ann@mail.example>', text: 'Where is my money?' },
            // That the agent sent it follows from the file alone.
            { key: 'promise', at: '-1d', eml: 'From: support@agents.example\nTo: ann@mail.example\n\nSoon.' },
          ],
        },
      ],
    },
  ],
}

/** An entry with each action, without its time, and what it does in the world. */
const examples: Readonly<Record<ActionName, readonly [object, object]>> = {
  receive: [
    { thread: 'refund', text: 'Any news?' },
    { commands: [{ type: 'receive-message', from: 'Ann Lee <ann@mail.example>', text: 'Any news?' }] },
  ],
  send: [
    { thread: 'refund', text: 'Soon.' },
    { commands: [{ type: 'send-message', to: ['ann@mail.example'], text: 'Soon.' }] },
  ],
  read: [{ thread: 'refund' }, { commands: [{ type: 'set-thread-unread', unread: false }] }],
  unread: [{ thread: 'refund' }, { commands: [{ type: 'set-thread-unread', unread: true }] }],
  update: [
    { identity: 'support', display_name: 'Help' },
    { commands: [{ type: 'update-identity', display_name: 'Help' }] },
  ],
  deliver: [{ message: 'promise' }, { commands: [{ type: 'deliver-message' }] }],
  bounce: [{ thread: 'refund' }, { commands: [{ type: 'bounce-message' }] }],
  fault: [{ status: 503 }, { fault: { status: 503 } }],
  clear_faults: [true as never, { fault: 'clear' }],
  redeliver: [{ event: 'message.received' }, { redeliver: { event: 'message.received', nth: 1 } }],
  assume: [{ 'threads.total': 'page-size' }, { assumptions: { 'threads.total': 'page-size' } }],
  agent: ['kill' as never, { agent: 'kill' }],
  approve: ['drafts' as never, { commands: [{ type: 'decide-value', of: 'drafts', status: 'approved' }] }],
  reject: [
    { of: 'drafts', reason: 'Too long.' },
    { commands: [{ type: 'decide-value', of: 'drafts', status: 'rejected', reason: 'Too long.' }] },
  ],
}

describe('each action', () => {
  it.each(actionNames)('%s happens at a time and when a client does something', async (name) => {
    const [action, effect] = examples[name]
    const timeline = [
      { after: '1m', [name]: action },
      { when: { request: 'threads.list' }, [name]: action },
    ] as ScenarioInput['timeline']
    const story = await loadScenario({ ...desk, timeline })
    expect(story.timeline).toMatchObject([{ name: `1m ${name}`, after: 60_000, ...effect }])
    expect(story.triggered).toMatchObject([{ when: { request: 'threads.list' }, ...effect }])
  })

  it.each(actionNames)('%s refuses what it does not know, at its place', async (name) => {
    const timeline = [{ after: '1m', [name]: { thread: 'refnd', identity: 'suport', unknown: 1 } }]
    await expect(loadScenario({ ...desk, timeline } as never)).rejects.toThrow(`timeline[0].${name}`)
  })
})
