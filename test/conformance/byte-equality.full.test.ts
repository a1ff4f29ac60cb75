import { it } from 'vitest'
import { expectSameAnswers } from './same-answers.js'

it.each(['seed:1', 'seed:2', 'seed:3'])(
  'the same requests in the same order have the same answers from all transports (%s)',
  expectSameAnswers,
)
