import { it } from 'vitest'
import { expectSameAnswers } from './same-answers.js'

it.each(['default', 'worst-case', 'seed:1'])(
  'the same requests in the same order have the same answers from all transports (%s)',
  expectSameAnswers,
)
