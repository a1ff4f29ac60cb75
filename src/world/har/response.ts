import type { RecordedExchange } from '../exchange.js'
import type { Masker } from '../masking/masker.js'
import { contentOf, emptyContent } from './content.js'
import type { HarContent, HarResponse } from './format.js'
import { cookiesOf, httpVersion, pairsOf } from './pairs.js'
import { statusTexts } from './status-texts.js'

/** What was answered, if anything was; `most` is how much of the body is shown. */
export function responseOf(recorded: RecordedExchange, masker: Masker, most: number): HarResponse {
  if (recorded.status === 0 || recorded.fault?.reset) return noAnswer(recorded)
  const { status, responseHeaders } = recorded
  const content = contentFor(recorded, masker, most)
  return {
    status,
    statusText: statusTexts[status] ?? '',
    httpVersion,
    cookies: cookiesOf(responseHeaders['set-cookie']),
    headers: pairsOf(masker.headers(Object.entries(responseHeaders))),
    content,
    redirectURL: '',
    headersSize: -1,
    bodySize: content.size,
    ...(promisedLength(recorded) !== undefined && { _error: 'net::ERR_CONTENT_LENGTH_MISMATCH' }),
  }
}

/** How long a body should have been that a fault cut off; undefined for one that came whole. */
export function promisedLength({ fault, responseHeaders }: RecordedExchange): number | undefined {
  const promised = responseHeaders['content-length']
  return fault?.truncate === undefined || promised === undefined ? undefined : Number(promised)
}

function noAnswer({ fault }: RecordedExchange): HarResponse {
  return {
    status: 0,
    statusText: '',
    httpVersion,
    cookies: [],
    headers: [],
    content: emptyContent(undefined),
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
    ...(fault?.reset && { _error: 'net::ERR_CONNECTION_RESET' }),
  }
}

function contentFor(
  { method, responseHeaders, responseBody }: RecordedExchange,
  masker: Masker,
  most: number,
): HarContent {
  const type = responseHeaders['content-type']
  if (method === 'HEAD' || responseBody === null) return emptyContent(type)
  return contentOf(responseBody.bytes(), { type, masker, most })
}
