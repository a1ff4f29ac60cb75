import { it } from 'vitest'
import { expectSameAnswers } from './same-answers.js'

it('the same requests in the same order have the same answers from all transports', () => {
  return expectSameAnswers('default')
})
