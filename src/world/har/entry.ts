import { type RecordedExchange, showFacts } from '../exchange.js'
import type { JournalEntry } from '../journal.js'
import type { HarEntry, HarRequest, HarResponse } from './format.js'
import { hasUnreadBody, requestOf } from './request.js'
import { promisedLength, responseOf } from './response.js'

/** An exchange of the journal as an entry of an archive. */
export function harEntry(entry: JournalEntry): HarEntry {
  const { recorded, showing } = entry
  const { masker, bodyCharacters } = showing
  const { seq, at, world, operation, duration_ms, reliances, fault, near_miss } = showFacts(recorded, showing)
  const request = requestOf(recorded, masker, bodyCharacters)
  const response = responseOf(recorded, masker, bodyCharacters)
  const comment = [near_miss, ...commentsOn(recorded, request, response)].filter(Boolean).join('; ')
  return {
    startedDateTime: at,
    time: duration_ms,
    request,
    response,
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
    ...(comment !== '' && { comment }),
    _seq: seq,
    _world: world,
    _operation: operation,
    _reliances: reliances,
    _fault: fault,
    _nearMiss: near_miss,
  }
}

/** What is not as it looks. */
function commentsOn(recorded: RecordedExchange, request: HarRequest, response: HarResponse): string[] {
  const { method, status, fault } = recorded
  const comments: string[] = []
  if (hasUnreadBody(recorded)) comments.push("the request's body was not read")
  if (request.postData?.comment !== undefined)
    comments.push(`the request's body is ${request.postData.comment}`)
  if (status === 0) comments.push('the simulator did not answer')
  else if (method === 'HEAD') comments.push('the answer to HEAD has no body')
  if (fault) comments.push(`${fault.id} ${disturbanceOf(recorded)}`)
  if (response.content.comment !== undefined)
    comments.push(`the answer's body is ${response.content.comment}`)
  return comments
}

function disturbanceOf(recorded: RecordedExchange): string {
  const { fault } = recorded
  if (fault?.reset) return 'reset the connection: no answer came'
  const promised = promisedLength(recorded)
  if (promised !== undefined) return `cut the body off after ${fault?.truncate} of ${promised} bytes`
  if (fault?.drip !== undefined) return `had the body drip over ${fault.drip}, which is not in its time here`
  return 'disturbed the answer'
}
