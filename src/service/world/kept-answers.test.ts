import { expect, it } from 'vitest'
import { findKept, type KeptAnswers, keepAnswer } from './kept-answers.js'

const answer = (key: string, kept_at: number) => ({
  organization_id: 'org_a',
  operation: 'messages.send',
  idempotency_key: key,
  request: 'x',
  status: 201,
  headers: {},
  body: 'x',
  kept_at,
})

it('keeps the latest 10,000 responses, for 24 hours', () => {
  const answers: KeptAnswers = new Map()
  for (let number = 0; number < 10_100; number++) keepAnswer(answers, answer(`${number}`, number))
  keepAnswer(answers, answer('200', 10_100))
  expect([answers.size, findKept(answers, answer('99', 0), 10_100)]).toEqual([10_000, undefined])
  const day = 24 * 3_600_000
  expect(findKept(answers, answer('300', 0), 300 + day - 1)).toMatchObject({ kept_at: 300 })
  expect(findKept(answers, answer('300', 0), 300 + day)).toBeUndefined()
  keepAnswer(answers, answer('new', 10_099 + day))
  expect([...answers.values()].map(({ idempotency_key: key }) => key)).toEqual(['200', 'new'])
})
