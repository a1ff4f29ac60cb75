import { expect, it } from 'vitest'
import { KeptAnswers } from './kept-answers.js'

const answer = (key: string, characters: number) => ({
  organization_id: 'org_a',
  operation: 'messages.send',
  idempotency_key: key,
  request: 'x',
  status: 201,
  headers: {},
  body: 'x'.repeat(characters),
  kept_at: 0,
})

it('keeps responses up to a number of characters, the latest ones and at least one', () => {
  const answers = new KeptAnswers([answer('restored', 10_000_000)])
  for (const key of ['a', 'b', 'c', 'a']) answers.keep(answer(key, 10_000_000))
  expect(answers.state.map(({ idempotency_key: key }) => key)).toEqual(['b', 'c', 'a'])
  answers.keep(answer('large', 40_000_000))
  expect(answers.state.map(({ idempotency_key: key }) => key)).toEqual(['large'])
})
