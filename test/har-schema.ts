/** The required and optional fields of an object of the archive, with their schemas. */
interface Fields {
  readonly needs: Readonly<Record<string, object>>
  readonly may?: Readonly<Record<string, object>>
}

/** An object with the fields of the specification and any that begin with `_`, and no others. */
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
const durationIfKnown = { anyOf: [duration, { const: -1 }] }
const listOf = (items: object): object => ({ type: 'array', items })

const pair = object({ needs: { name: text, value: text } })

const cookie = object({
  needs: { name: text, value: text },
  may: {
    path: text,
    domain: text,
    expires: time,
    httpOnly: { type: 'boolean' },
    secure: { type: 'boolean' },
  },
})

const parameter = object({ needs: { name: text }, may: { value: text, fileName: text, contentType: text } })

const postData = {
  ...object({ needs: { mimeType: text }, may: { text, params: listOf(parameter) } }),
  oneOf: [{ required: ['text'] }, { required: ['params'] }],
}

const message = {
  httpVersion: text,
  cookies: listOf(cookie),
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
  may: { compression: { type: 'integer' }, text, encoding: { const: 'base64' } },
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

const cacheEntry = object({
  needs: { lastAccess: time, eTag: text, hitCount: { type: 'integer' } },
  may: { expires: time },
})

const cache = object({ needs: {}, may: { beforeRequest: cacheEntry, afterRequest: cacheEntry } })

const timings = object({
  needs: { send: duration, wait: duration, receive: duration },
  may: { blocked: durationIfKnown, dns: durationIfKnown, connect: durationIfKnown, ssl: durationIfKnown },
})

const entry = object({
  needs: { startedDateTime: time, time: duration, request, response, cache, timings },
  may: { pageref: text, serverIPAddress: text, connection: text },
})

const page = object({
  needs: {
    startedDateTime: time,
    id: text,
    title: text,
    pageTimings: object({ needs: {}, may: { onContentLoad: durationIfKnown, onLoad: durationIfKnown } }),
  },
})

const program = object({ needs: { name: text, version: text } })

/** The specification of HTTP Archives 1.2 as a JSON Schema. */
export const harSchema = {
  type: 'object',
  required: ['log'],
  properties: {
    log: object({
      // The list of pages may be left out, but Firefox opens no archive without it.
      needs: { version: { const: '1.2' }, creator: program, entries: listOf(entry), pages: listOf(page) },
      may: { browser: program },
    }),
  },
  additionalProperties: false,
}
