import { describe, expect, it } from 'vitest'
import { type ScenarioInput, scenarioSchema } from '../format/scenario.js'
import { type MessageFilter, Names } from './names.js'
import { organizationsOf } from './parts.js'
import { resolveEntries } from './timeline.js'

const office: ScenarioInput = {
  scenario: 'office',
  identities: [
    {
      handle: 'Support',
      threads: [
        { key: 'refund', messages: [{ key: 'question', text: 'Hello' }, { text: 'Hello' }] },
        { messages: [{ key: 'loose', text: 'Hello' }] },
      ],
    },
    {
      handle: 'sales',
      mailbox_address: 'Deals@oakline.example',
      threads: [{ key: 'refund', messages: [{}] }],
    },
  ],
  organizations: [{ identities: [{ handle: 'sales', mailbox_address: 'sales@other.example' }] }],
  timeline: [
    {
      after: '2m',
      receive: { to: ['Support', '@sales'], thread: 'quote', subject: 'A quote', key: 'offer' },
    },
    { after: '3m', send: { from: 'sales', thread: 'quote', key: 'answer', text: 'Yes' } },
    { after: '4m', receive: { thread: 'nothing', text: 'Hello' } },
    { after: '5m', receive: { to: 'nobody', thread: 'lost', subject: 'Hello' } },
  ],
}

const namesOf = (input: ScenarioInput): Names => {
  const scenario = scenarioSchema.parse(input)
  const agents = organizationsOf(scenario, 1).flatMap((part) => part.agents)
  return new Names(agents, resolveEntries(scenario, new Map()), 1)
}
const names = namesOf(office)
const [support, sales, other] = names.agents

describe('agents', () => {
  it('are in the order of the file, with their addresses', () => {
    expect(names.agents.map(({ handle, address, path }) => [handle, address, path.join('.')])).toEqual([
      ['Support', 'support@agents.example', 'identities.0'],
      ['sales', 'Deals@oakline.example', 'identities.1'],
      ['sales', 'sales@other.example', 'organizations.0.identities.0'],
    ])
  })

  it.each([
    ['Support', support],
    ['@sales', sales],
    ['support', undefined],
    ['deals@OAKLINE.example', sales],
    ['sales@other.example', other],
    ['ann@mailbox.example', undefined],
  ])('are found by %s', (name, agent) => {
    expect(names.agent(name)).toBe(agent)
  })

  it('have a default only if there is one agent', () => {
    expect(names.onlyAgent).toBeUndefined()
    expect(namesOf({ scenario: 'x', identities: [{ handle: 'eva' }] }).onlyAgent?.handle).toBe('eva')
  })
})

describe('threads', () => {
  it('include written threads and those that mail with a subject starts', () => {
    expect(names.threadKeys()).toEqual(['refund', 'quote'])
    expect(names.threadKeys(other)).toEqual([])
    expect(names.threads('refund').map(({ owner, begunBy }) => [owner, begunBy])).toEqual([
      [support, undefined],
      [sales, undefined],
    ])
    expect(names.threads('quote', sales)).toMatchObject([{ key: 'quote', begunBy: { offset: 120_000 } }])
    expect(names.threads('nothing')).toEqual([])
    expect(names.threads('lost')).toEqual([])
  })
})

describe('messages', () => {
  it('include those with a key in threads and timeline', () => {
    const of = (where: MessageFilter) => names.messages(where).map(({ key }) => key)
    expect(of({})).toEqual(['question', 'loose', 'offer', 'offer', 'answer'])
    expect(of({ owner: support })).toEqual(['question', 'loose', 'offer'])
    expect(of({ thread: 'quote' })).toEqual(['offer', 'offer', 'answer'])
    expect(of({ owner: sales, thread: 'refund' })).toEqual([])
  })

  it('have their direction, if known, and their timeline entry', () => {
    const found = names.messages({}).map(({ key, isSent, broughtBy }) => [key, isSent, broughtBy?.offset])
    expect(found).toEqual([
      ['question', false, undefined],
      ['loose', false, undefined],
      ['offer', false, 120_000],
      ['offer', false, 120_000],
      ['answer', true, 180_000],
    ])
    const messages = [
      { key: 'file', eml: 'a.eml' },
      { key: 'sent', eml: 'a.eml', direction: 'outbound' as const },
      { key: 'written', direction: 'outbound' as const },
    ]
    const files = namesOf({ scenario: 'x', identities: [{ handle: 'eva', threads: [{ messages }] }] })
    expect(files.messages({}).map(({ isSent }) => isSent)).toEqual([undefined, true, true])
  })
})
