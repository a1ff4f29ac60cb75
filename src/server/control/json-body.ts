import type { IncomingMessage } from 'node:http'
import { ControlError } from './control-error.js'

/** Bytes a body may have: 64 kB. */
const most = 65_536

/** The JSON in the body of a request. @throws ControlError */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  // A page of another site can send other types without asking first, but not this one.
  if (mediaTypeOf(request) !== 'application/json') {
    throw new ControlError(
      'unsupported_media_type',
      'The body needs the header Content-Type: application/json.',
    )
  }
  const bytes = await readBytes(request)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new ControlError('invalid_json', `The body is not JSON in UTF-8: ${(error as Error).message}`)
  }
}

function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

/** The bytes of a body; of one that is too large, no more is kept than may be. */
function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= most) chunks.push(chunk)
      else reject(new ControlError('content_too_large', `The body may have ${most} bytes at most.`))
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    // A client that goes in the middle is none of this program's defects.
    request.once('error', () => reject(new ControlError('invalid_json', 'The body was cut off.')))
  })
}
