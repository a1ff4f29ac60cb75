import { CodedError } from '../service/model/errors.js'
import type { Delivery } from '../service/webhooks/delivery.js'
import { describeWorst, hasReached } from '../story/expectations/exchanges.js'

/** Thrown for a run of a client without a meaningful end. `nothing-asked`: no request came that could be judged. */
export class RunError extends CodedError<
  'interrupted' | 'not-ready' | 'nothing-asked' | 'no-results' | 'before-failed'
> {
  override readonly name = 'RunError'
}

/**
 * Refuses to judge a client that sent no request, and met no simulator in its processes. It says what became of the
 * deliveries that the client received.
 * @throws RunError
 */
export function refuseSilence(asked: boolean, deliveries: readonly Delivery[] = []): void {
  if (asked) return
  const received = deliveries.filter(hasReached)
  const why =
    received.length > 0
      ? `sent no request: ${describeWorst(received)}.`
      : 'no request came to MAILBOX_BASE_URL, and no simulator in its processes returned a response that depends on a gap. ' +
        'Does it use MAILBOX_BASE_URL and MAILBOX_API_KEY?'
  throw new RunError('nothing-asked', `Nothing could be judged: the command passed, but ${why}`)
}
