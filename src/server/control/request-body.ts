import type { IncomingMessage } from 'node:http'
import { ControlError } from './control-error.js'

/** Bytes a body may have: JSON about mail may carry files in base64. */
const most = { json: 65_536, jsonWithFiles: 52_428_800, mail: 36_700_160 } as const

/** The media type of a body, without its parameters. */
export function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

/** Whether a request comes with a body, if perhaps an empty one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The JSON in the body of a request. @throws ControlError */
export async function readJson(request: IncomingMessage, withFiles = false): Promise<unknown> {
  // A page of another site can send other types without asking first, but not this one.
  if (mediaTypeOf(request) !== 'application/json') {
    const mail = withFiles ? ', or message/rfc822 for mail as it is' : ''
    throw new ControlError(
      'unsupported_media_type',
      `The body needs the header Content-Type: application/json${mail}.`,
    )
  }
  const bytes = await readBytes(request, withFiles ? 'jsonWithFiles' : 'json')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new ControlError('invalid_json', `The body is not JSON in UTF-8: ${(error as Error).message}`)
  }
}

/** The bytes of a body; of one that is too large, no more is kept than may be. @throws ControlError */
export function readBytes(request: IncomingMessage, kind: keyof typeof most): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= most[kind]) chunks.push(chunk)
      else reject(new ControlError('content_too_large', `The body may have ${most[kind]} bytes at most.`))
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    // A client that goes in the middle is none of this program's defects.
    request.once('error', () => reject(new ControlError('invalid_json', 'The body was cut off.')))
  })
}
