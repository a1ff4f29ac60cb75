import { cutText, type RecordedExchange } from '../exchange.js'
import type { Masker } from '../masking/masker.js'
import type { HarRequest } from './format.js'
import { cookiesOf, httpVersion, pairsOf } from './pairs.js'

/** What was asked, at the address the client used; `most` is how many characters of the body are shown. */
export function requestOf(recorded: RecordedExchange, masker: Masker, most: number): HarRequest {
  const { method, base, path, search, requestHeaders } = recorded
  return {
    method,
    url: masker.url(`${base}${path}${search}`),
    httpVersion,
    cookies: cookiesOf(requestHeaders.get('cookie')),
    headers: pairsOf(masker.headers(requestHeaders)),
    queryString: [...new URLSearchParams(search)].map(([name, value]) => {
      return { name: masker.url(name), value: masker.parameter(name, value) }
    }),
    ...postDataOf(recorded, masker, most),
    headersSize: -1,
    bodySize: bodySizeOf(recorded),
  }
}

/** Whether a request came with a body that nobody read, since it was refused before, or for another reason. */
export function hasUnreadBody({ requestHeaders, requestBody }: RecordedExchange): boolean {
  return requestBody === null && Number(requestHeaders.get('content-length') ?? 0) > 0
}

function postDataOf(
  { requestHeaders, requestBody }: RecordedExchange,
  masker: Masker,
  most: number,
): Pick<HarRequest, 'postData'> {
  if (requestBody === null) return {}
  const { text, length } = cutText(masker.body(requestBody), most)
  const comment = `cut off: ${text.length} of ${length} characters are shown`
  const mimeType = requestHeaders.get('content-type') ?? ''
  return { postData: { mimeType, text, ...(text.length < length && { comment }) } }
}

function bodySizeOf({ requestHeaders, requestBody }: RecordedExchange): number {
  if (requestBody !== null) return new TextEncoder().encode(requestBody).length
  return Number(requestHeaders.get('content-length') ?? 0)
}
