import type { FaultRule } from '../../world/index.js'
import { Refusal } from '../refusal.js'
import type { Reply } from '../reply.js'
import type { Answerer } from '../visit.js'

/** What answers in the place of an operation, when a fault gives the status or the body. @throws Refusal */
export function standIn({ id, fault }: FaultRule): Answerer {
  const { status = 200, body } = fault
  return (): Reply => {
    if (status >= 400)
      throw new Refusal('disturbed', `The simulator was told to fail here, by ${id}.`, { status })
    const headers =
      body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }
    return { status, headers, content: null }
  }
}
