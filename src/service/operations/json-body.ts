import { isJsonObject, parseJson } from '../../base/json.js'
import type { OperationContext } from './operation.js'
import { decodeUtf8, maximumBodySize } from './request.js'
import { RequestError, reject } from './request-error.js'

/** The size of a body in bytes above which one assumption of `limits.body-size` refuses it. */
export const smallerMaximum = 102_400

/** Reads the JSON object in a request's body; undefined when there is no body. @throws RequestError */
export async function readJsonBody(
  context: OperationContext,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const bytes = await readBytes(context)
  if (bytes.length === 0) return undefined
  const mediaType = context.request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') settleContentType(context)
  return parseObject(decodeUtf8(bytes) ?? reject(whyUnreadable(context.request.headers)))
}

function whyUnreadable(headers: Pick<Headers, 'get'>): string {
  const encoding = headers.get('content-encoding')
  if (!encoding || encoding === 'identity') return 'The body is not valid UTF-8.'
  return `The body is compressed (Content-Encoding: ${encoding.slice(0, 20)}); send it without that.`
}

/** Reads the bytes of a request's body. @throws RequestError if there are too many */
export async function readBytes({ body, settle }: OperationContext): Promise<Uint8Array> {
  // A body whose declared length is too large is refused before any of it is read.
  const bytes = body.declaredLength > maximumBodySize ? undefined : await body.bytes()
  const length = bytes?.length ?? body.declaredLength
  const fits = settle(
    'limits.body-size',
    { '1mb': () => length <= maximumBodySize, '100kb': () => length <= smallerMaximum },
    'certain',
  )
  if (!bytes || !fits) {
    throw new RequestError('content-too-large', 'The body is larger than this service accepts.')
  }
  return bytes
}

/** Settles a body whose media type is not JSON. @throws RequestError */
function settleContentType({ settle }: Pick<OperationContext, 'settle'>): void {
  settle('identities.patch-content-type', {
    rejected: () => reject('The body needs the header Content-Type: application/json.'),
    'unsupported-media-type': () => {
      throw new RequestError('unsupported-media-type', 'Only Content-Type: application/json is accepted.')
    },
    parsed: () => undefined,
  })
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  if (value === undefined) return reject('The body is not valid JSON.')
  if (isJsonObject(value)) return value
  return reject('The body must be a JSON object such as {"display_name": "Support"}.')
}
