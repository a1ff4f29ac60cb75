import { CodedError } from '../service/model/index.js'

/** Thrown for a run of a client without a meaningful end. `nothing-asked`: no request came that could be judged. */
export class RunError extends CodedError<'interrupted' | 'not-ready' | 'nothing-asked' | 'no-results'> {
  override readonly name = 'RunError'
}

/** Refuses to judge a client that sent no request, and met no simulator in its processes. @throws RunError */
export function refuseSilence(asked: boolean): void {
  if (asked) return
  throw new RunError(
    'nothing-asked',
    'Nothing could be judged: the command passed, but no request came to MAILBOX_BASE_URL, and no simulator in its ' +
      'processes returned a response that depends on a gap. Does it use MAILBOX_BASE_URL and MAILBOX_API_KEY?',
  )
}
