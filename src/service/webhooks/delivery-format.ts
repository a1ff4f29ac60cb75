import { once } from '../../base/once.js'
import { z } from '../../base/schema.js'
import { toBase64, toHex } from '../../mail/transfer-encoding.js'

const headerName = () =>
  z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected the name of a header, such as x-service-signature')
    .refine((name) => !/^(content-.*|host|connection|transfer-encoding|user-agent)$/i.test(name), {
      error: 'expected a header that deliveries do not already have',
    })
    .refine((name) => !/^(expect|keep-alive|upgrade)$/i.test(name), {
      error: 'expected a header that does not control the connection',
    })

/**
 * The delivery format that a service has published: the names of its headers and the signed text. Its fields replace
 * the assumptions `events.token-placement` and `events.signature`.
 */
export const deliveryFormatSchema = once(() =>
  z
    .strictObject({
      token_header: headerName()
        .optional()
        .describe('The header of the token; in `authorization` as `Bearer …`, in any other header plain.'),
      signature_header: headerName()
        .optional()
        .describe('The header of the signature, an HMAC with SHA-256.'),
      signed_text: z
        .string()
        .refine((text) => text.includes('{body}') && !/\{(?!(timestamp|request_id|body)\})/.test(text), {
          error: 'expected {body}, and if need be {timestamp} and {request_id}, as in {timestamp}.{body}',
        })
        .optional()
        .describe('The text that is signed; `{timestamp}.{body}` by default.'),
      timestamp_header: headerName()
        .optional()
        .describe('The header of the time of the attempt, in seconds.'),
      request_id_header: headerName().optional().describe('The header of the id of the event.'),
      encoding: z
        .enum(['hex', 'base64'])
        .optional()
        .describe('The encoding of the signature; `hex` by default.'),
      prefix: z
        .string()
        .regex(/^[ -~]*$/, 'expected printable ASCII characters, since it is sent in a header')
        .optional()
        .describe('A prefix of the signature, e.g. `sha256=`.'),
      secret: z
        .string()
        .min(1)
        .optional()
        .describe('The key of signatures; by default the key of each subscription, `whsec_…`.'),
    })
    .refine((format) => format.signature_header !== undefined || !signs(format), {
      error: 'signed_text, encoding, prefix and secret need a signature_header',
    })
    .refine((format) => new Set(headersOf(format)).size === headersOf(format).length, {
      error: 'each header needs a different name',
    }),
)

/** Returns the names of a format's headers, in lower case. */
function headersOf(format: Partial<Record<string, string>>): string[] {
  return Object.entries(format).flatMap(([key, name]) => {
    return key.endsWith('_header') && name !== undefined ? [name.toLowerCase()] : []
  })
}

function signs({ signed_text, encoding, prefix, secret }: Partial<Record<string, unknown>>): boolean {
  return [signed_text, encoding, prefix, secret].some((given) => given !== undefined)
}

/** The published format of a service's deliveries. */
export type DeliveryFormat = z.output<ReturnType<typeof deliveryFormatSchema>>

/** The input of a signature. */
export interface SignedContent {
  readonly eventId: string
  /** The world's time, in milliseconds since the epoch; signatures carry whole seconds. */
  readonly at: number
  readonly body: string
  /** The subscription's secret, `whsec_…`. */
  readonly secret: string
}

/** Returns an instant as signatures carry it. */
export function toSeconds(instant: number): string {
  return String(Math.floor(instant / 1000))
}

/** Returns the header that carries a token in a published format. */
export function formattedToken(header: string, token: string): Record<string, string> {
  const name = header.toLowerCase()
  return { [name]: name === 'authorization' ? `Bearer ${token}` : token }
}

/** Returns the id, time and signature headers of a published format. */
export async function formattedSignature(
  format: DeliveryFormat,
  { eventId, at, body, secret }: SignedContent,
): Promise<Record<string, string>> {
  const { signature_header, timestamp_header, request_id_header } = format
  const timestamp = toSeconds(at)
  const parts: Readonly<Record<string, string>> = { timestamp, request_id: eventId, body }
  const text = (format.signed_text ?? '{timestamp}.{body}').replace(
    /\{(\w+)\}/g,
    (_, name) => parts[name] ?? '',
  )
  return {
    ...(request_id_header && { [request_id_header.toLowerCase()]: eventId }),
    ...(timestamp_header && { [timestamp_header.toLowerCase()]: timestamp }),
    ...(signature_header && {
      [signature_header.toLowerCase()]: `${format.prefix ?? ''}${encoded(await hmacSha256(format.secret ?? secret, text), format.encoding)}`,
    }),
  }
}

/** Encodes bytes for a header; in hex by default. */
export function encoded(bytes: Uint8Array, encoding: DeliveryFormat['encoding']): string {
  return encoding === 'base64' ? toBase64(bytes) : toHex(bytes)
}

/** Signs a text with HMAC-SHA-256. */
export async function hmacSha256(key: string | Uint8Array, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const encode = (words: string) => new TextEncoder().encode(words)
  const imported = await crypto.subtle.importKey(
    'raw',
    typeof key === 'string' ? encode(key) : Uint8Array.from(key),
    algorithm,
    false,
    ['sign'],
  )
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encode(text)))
}
