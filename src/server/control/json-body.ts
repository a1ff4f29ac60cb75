import express, { type Request, type Response } from 'express'
import { ControlError } from './control-error.js'

/** Bytes a body may have: 64 kB. */
const most = 65_536

// Whatever type it declares has been looked at before.
const parse = express.json({ limit: most, type: () => true, strict: false, inflate: false })

/** The JSON in the body of a request. @throws ControlError */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  // A page of another site can send other types without asking first, but not this one.
  if (mediaTypeOf(request) !== 'application/json') {
    throw new ControlError(
      'unsupported_media_type',
      'The body needs the header Content-Type: application/json.',
    )
  }
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(explain(error)) : resolve()))
  })
  return request.body
}

function mediaTypeOf({ headers }: Request): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

/** What the parser's refusal means. */
function explain(error: unknown): unknown {
  const { status, message } = error as { readonly status?: number; readonly message?: string }
  switch (status) {
    case 400:
      return new ControlError('invalid_json', `The body cannot be read as JSON: ${message}.`)
    case 413:
      return new ControlError('content_too_large', `The body may have ${most} bytes at most.`)
    case 415:
      return new ControlError('unsupported_media_type', 'The body must be UTF-8, and not compressed.')
    default:
      return error
  }
}
