import { describe, expect, it } from 'vitest'
import { World } from '../../service/world/world.js'
import type { ScenarioInput } from '../format/scenario.js'
import { loadScenario } from '../load.js'
import type { Expectation } from './kinds.js'
import { matchFields } from './match.js'

const office: ScenarioInput = {
  scenario: 'office',
  identities: [
    {
      handle: 'support',
      locale: 'fr',
      display_name: '{{company.name}}',
      threads: [
        {
          key: 'refund',
          subject: 'Refund for order {{string.numeric(6)}}',
          messages: [
            {
              key: 'question',
              at: '-1d',
              from: '{{person.fullName}} <{{internet.email}}>',
              text: '{{lorem.sentence}} {{lorem.sentence}}',
            },
            { key: 'answer', direction: 'outbound', to: '{{internet.email}}', text: 'Soon.' },
          ],
        },
        { messages: [{ key: 'loose', subject: 'Loose {{lorem.word}}', text: 'x' }] },
      ],
    },
    { handle: 'sales', threads: [{ key: 'refund', messages: [{ text: 'x' }] }] },
  ],
  timeline: [
    {
      key: 'late',
      after: '2m',
      receive: {
        to: ['support', 'sales'],
        thread: 'offer',
        subject: '{{lorem.word}}',
        text: '{{lorem.word}}',
      },
    },
    {
      key: 'early',
      after: '1m',
      repeat: { times: 3, every: '30s' },
      receive: { to: 'support', subject: 'x' },
    },
    { after: '3m', send: { key: 'reply', from: 'support', thread: 'refund', text: '{{lorem.words}}' } },
  ],
}

async function compiled(
  ...expectations: NonNullable<ScenarioInput['expect']>
): Promise<readonly Expectation[]> {
  return (await loadScenario({ ...office, expect: expectations })).expectations
}

describe('an expectation of a scenario', () => {
  it('has its templates filled in with the values of the story', async () => {
    const expectations = await compiled(
      { identity: 'support', has: { display_name: '{{company.name}}' } },
      { thread: 'refund', identity: 'support', has: { subject: 'Refund for order {{string.numeric(6)}}' } },
      {
        message: 'question',
        has: {
          subject: { contains: 'order {{string.numeric(6)}}' },
          from: '{{person.fullName}} <{{internet.email}}>',
          text: '{{lorem.sentence}} {{lorem.sentence}}',
        },
      },
      {
        message: 'answer',
        has: { subject: 'Re: Refund for order {{string.numeric(6)}}', to: '{{internet.email}}' },
      },
      { message: 'loose', has: { subject: 'Loose {{lorem.word}}' } },
      { thread: 'offer', identity: 'sales', has: { subject: '{{lorem.word}}' } },
      { message: 'late', identity: 'sales', has: { subject: '{{lorem.word}}', text: '{{lorem.word}}' } },
      { message: 'reply', has: { text: '{{lorem.words}}' } },
    )
    const world = new World('world_1', await loadScenario(office), 'frozen')
    await world.clock.advance(600_000)
    for (const expectation of expectations) {
      const { kind, state } = expectation
      const row = world.store.get(kind as 'message', state?.id ?? '')
      const fields = { ...row, to: row?.to?.join() }
      expect(matchFields(state?.has as never, fields)).toEqual([])
    }
  })
})
