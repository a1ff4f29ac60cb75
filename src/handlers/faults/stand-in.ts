import { Refusal } from '../refusal.js'
import type { Reply } from '../reply.js'
import type { Answerer } from '../visit.js'
import type { Disturbance } from './faulted-request.js'

/** What answers in the place of an operation, when a fault gives the status or the body. @throws Refusal */
export function standIn({ rule: { id, fault }, operation }: Disturbance): Answerer {
  const { status = 200, body } = fault
  return (visit): Reply => {
    if (operation) visit.noteOperation(operation)
    if (status >= 400)
      throw new Refusal('disturbed', `The simulator was told to fail here, by ${id}.`, { status })
    const headers =
      body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }
    return { status, headers, content: null }
  }
}
