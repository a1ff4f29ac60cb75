/** The required and optional fields of an object of the archive, with their schemas. */
interface Fields {
  readonly needs: Readonly<Record<string, object>>
  readonly may?: Readonly<Record<string, object>>
}

/** Describes an object with these fields and any that begin with `_`, and no others. */
function object({ needs, may = {} }: Fields): object {
  return {
    type: 'object',
    required: Object.keys(needs),
    properties: { ...needs, ...may, comment: text },
    patternProperties: { '^_': {} },
    additionalProperties: false,
  }
}

const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }
const size = { type: 'integer', minimum: -1 }
const duration = { type: 'number', minimum: 0 }
const listOf = (items: object): object => ({ type: 'array', items })

const pair = object({ needs: { name: text, value: text } })

const postData = object({ needs: { mimeType: text, text } })

const message = {
  httpVersion: text,
  cookies: listOf(pair),
  headers: listOf(pair),
  headersSize: size,
  bodySize: size,
}

const request = object({
  needs: { ...message, method: text, url: { type: 'string', format: 'uri' }, queryString: listOf(pair) },
  may: { postData },
})

const content = object({
  needs: { size: { type: 'integer', minimum: 0 }, mimeType: text },
  may: { text, encoding: { const: 'base64' } },
})

const response = object({
  needs: {
    ...message,
    status: { type: 'integer', minimum: 0, maximum: 599 },
    statusText: text,
    content,
    redirectURL: text,
  },
})

const timings = object({ needs: { send: duration, wait: duration, receive: duration } })

const entry = object({
  needs: { startedDateTime: time, time: duration, request, response, cache: object({ needs: {} }), timings },
})

const program = object({ needs: { name: text, version: text } })

/** The specification of HTTP Archives 1.2 as a JSON Schema, without the optional parts that the journal never writes. */
export const harSchema = {
  type: 'object',
  required: ['log'],
  properties: {
    log: object({
      // The list of pages may be left out, but Firefox opens no archive without it.
      needs: { version: { const: '1.2' }, creator: program, entries: listOf(entry), pages: { const: [] } },
    }),
  },
  additionalProperties: false,
}
