import type { IncomingMessage } from 'node:http'
import { ControlError } from './control-error.js'

/** Bytes a body may have. */
export const bodyBytes = {
  json: 65_536,
  /** A scenario of one's own, which may have files in it. */
  scenario: 10_485_760,
  /** JSON about mail, which carries files in base64. */
  jsonWithFiles: 52_428_800,
  mail: 36_700_160,
  /** All that a world wrote, files included. */
  snapshot: 104_857_600,
} as const

/** How many lists and objects may be within one another: what reads and writes them calls itself for each. */
const deepest = 100

/** The media type of a body, without its parameters. */
export function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

/** Whether a request comes with a body, if perhaps an empty one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The JSON in the body of a request. @throws ControlError */
export async function readJson(request: IncomingMessage, most: number): Promise<unknown> {
  const bytes = await readBytes(request, most)
  if (depthOf(bytes) > deepest) {
    const message = `The body has more than ${deepest} lists or objects in one another.`
    throw new ControlError('invalid_json', message)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new ControlError('invalid_json', `The body is not JSON in UTF-8: ${(error as Error).message}`)
  }
}

const [quote, backslash, list, listEnd, object, objectEnd] = Buffer.from('"\\[]{}') as unknown as number[]

/** How many lists and objects of a JSON text are within one another; what is no JSON has some number as well. */
function depthOf(json: Uint8Array): number {
  let depth = 0
  let greatest = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) inString = !inString
    else if (inString) at += byte === backslash ? 1 : 0
    else if (byte === list || byte === object) greatest = Math.max(greatest, ++depth)
    else if (byte === listEnd || byte === objectEnd) depth--
  }
  return greatest
}

/** The bytes of a body; of one that is too large, no more is kept than may be. @throws ControlError */
export function readBytes(request: IncomingMessage, most: number): Promise<Uint8Array> {
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
