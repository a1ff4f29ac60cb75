import type { Answer, Effect } from './answer.js'
import { replaceBody } from './effects/body.js'
import { replaceContentType } from './effects/content-type.js'
import { dripBody } from './effects/drip.js'
import { emptyBody } from './effects/empty.js'
import { malformBody } from './effects/malformed.js'
import { resetConnection } from './effects/reset.js'
import { replaceStatus } from './effects/status.js'
import { truncateBody } from './effects/truncate.js'
import { effectsOf, type Fault } from './fault.js'

/** In this order: what is cut or drips is the body as the others left it. */
const effects: readonly Effect<Fault>[] = [
  replaceStatus,
  replaceBody,
  replaceContentType,
  emptyBody,
  malformBody,
  truncateBody,
  dripBody,
  resetConnection,
]

/** An answer as a fault leaves it. */
export function disturb(fault: Fault, answer: Answer): Answer {
  return effects.reduce((disturbed, effect) => effect(fault, disturbed), answer)
}

/** Whether a fault answers in the place of the operation, which then is not performed. */
export function replacesOperation({ status, body }: Fault): boolean {
  return status !== undefined || body !== undefined
}

/** Effects that leave the answer as it is, if later. */
const harmless = ['delay', 'drip']

/** Whether a client gets the very answer that was made, if perhaps late. */
export function keepsAnswer(fault: Fault): boolean {
  return effectsOf(fault).every((name) => harmless.includes(name))
}
