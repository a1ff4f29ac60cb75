import { truncate } from '../contract/text.js'
import { encoded, hmacSha256 } from '../world/index.js'
import { type Constraint, shows } from './elimination.js'
import type { Fields } from './exchange.js'
import { type ReceivedDelivery, targetOf } from './received-events.js'
import type { ReceivedAttempt } from './receiver.js'

/** Returns the constraints from the shape of a delivery's body, its token and its signature. */
export function shapeConstraints(
  { first, event, target }: ReceivedDelivery,
  webhooks: readonly Fields[],
  verified: ReadonlyMap<number, VerifiedSignature | undefined> | undefined,
): Constraint[] {
  const { headers, body } = first
  const { envelope, data } = event
  const constraints = [
    shows('events.envelope', envelope ? [envelope] : [], [first], `the body is ${truncate(body, 120)}`),
    ...signatureConstraints(first, verified),
  ]
  if (envelope) {
    const kind = `its data is ${data ?? 'of another kind'}`
    constraints.push(shows('events.data', data ? [data] : [], [first], kind))
  }
  const subscriptions = webhooks.filter((webhook) => targetOf(webhook) === target)
  const tokens = subscriptions.map((webhook) => webhook['auth_token'])
  const [token] = tokens
  if (typeof token === 'string' && token !== '' && tokens.every((other) => other === token)) {
    const carriers = Object.keys(headers).filter((name) => headers[name]?.includes(token))
    const placed =
      carriers.length === 0 ? ['not-sent'] : carriers.flatMap((name) => placeOf(name, headers, token))
    const seen =
      carriers.length === 0 ? 'no header carries the token' : `the token is in ${carriers.join(', ')}`
    constraints.push(shows('events.token-placement', placed, [first], seen))
  }
  return constraints
}

function placeOf(name: string, headers: Readonly<Record<string, string>>, token: string): string[] {
  if (name === 'authorization' && headers[name] === `Bearer ${token}`) return ['authorization-bearer']
  return name === 'x-auth-token' && headers[name] === token ? ['x-auth-token'] : []
}

/** The header of the signature and the signed text, by reading of `events.signature`. */
const signed: Readonly<Record<string, readonly [header: string, text: string]>> = {
  'standard-webhooks': ['webhook-signature', '{id}.{timestamp}.{body}'],
  'timestamped-hmac': ['x-webhook-signature', '{timestamp}.{body}'],
}

function signatureConstraints(
  attempt: ReceivedAttempt,
  verified: ReadonlyMap<number, VerifiedSignature | undefined> | undefined,
): Constraint[] {
  const { headers } = attempt
  const shape = signatureOf(headers)
  const signature = verified?.get(attempt.number)
  if (signature) {
    const { header, text } = signature
    const names = Object.keys(signed).filter((name) => signed[name]?.join() === `${header},${text}`)
    const fits = names.filter((name) => name === shape)
    return [
      shows('events.signature', fits, [attempt], `${header} is the HMAC-SHA256 of ${text} under the secret`),
    ]
  }
  // If no secret verifies the signature, its shape proves nothing.
  if (verified && shape !== 'none') return []
  const seen = `its headers are ${Object.keys(headers).join(', ')}`
  return [shows('events.signature', shape ? [shape] : [], [attempt], seen)]
}

function signatureOf(headers: Readonly<Record<string, string>>): string | undefined {
  const has = (name: string, pattern: RegExp): boolean => pattern.test(headers[name] ?? '')
  const isStandard =
    has('webhook-id', /./) &&
    has('webhook-timestamp', /^\d+$/) &&
    has('webhook-signature', /^v1,[A-Za-z0-9+/=]{44}( |$)/)
  if (isStandard) return 'standard-webhooks'
  if (has('x-webhook-signature', /^t=\d+,v1=[0-9a-f]{64}$/)) return 'timestamped-hmac'
  return Object.keys(headers).some((name) => /signature|hmac|digest/.test(name)) ? undefined : 'none'
}

/** A header that holds a signature, and the text that is signed: `{timestamp}.{body}`. */
export interface VerifiedSignature {
  readonly header: string
  readonly text: string
}

/** Texts that services sign. */
const texts = [
  '{id}.{timestamp}.{body}',
  '{timestamp}.{body}',
  '{timestamp}{body}',
  '{timestamp}:{body}',
  '{id}.{body}',
  '{body}',
]

/** Finds the header with the HMAC-SHA256 of a delivery under one of the secrets; undefined if there is none. */
export async function verifySignature(
  { headers, body }: Pick<ReceivedAttempt, 'headers' | 'body'>,
  secrets: readonly string[],
): Promise<VerifiedSignature | undefined> {
  const entries = Object.entries(headers)
  const ids = entries.flatMap(([name, value]) => (/(^|-)id$/.test(name) ? [value] : []))
  const times = entries.flatMap(([, value]) => /^(?:.*\bt=)?(\d{10}|\d{13})(?:$|,)/.exec(value)?.[1] ?? [])
  for (const secret of secrets) {
    for (const key of keysOf(secret)) {
      for (const text of texts) {
        for (const content of filled(text, { ids, times, body })) {
          const digest = await hmacSha256(key, content)
          const written = [encoded(digest, 'hex'), encoded(digest, 'base64')]
          const carrier = entries.find(([, value]) => written.some((signature) => value.includes(signature)))
          if (carrier) return { header: carrier[0], text }
        }
      }
    }
  }
  return undefined
}

/**
 * Returns the possible keys of a secret: its text, or the bytes it encodes in base64 after a prefix such as
 * `whsec_`.
 */
function keysOf(secret: string): (string | Uint8Array)[] {
  const bare = secret.replace(/^[a-z]+_/, '')
  return [secret, bare, Buffer.from(bare, 'base64')]
}

function filled(
  text: string,
  {
    ids,
    times,
    body,
  }: { readonly ids: readonly string[]; readonly times: readonly string[]; readonly body: string },
): string[] {
  const usedIds = text.includes('{id}') ? ids : ['']
  const usedTimes = text.includes('{timestamp}') ? times : ['']
  return usedIds.flatMap((id) => {
    return usedTimes.map((time) => {
      const parts: Readonly<Record<string, string>> = { '{id}': id, '{timestamp}': time, '{body}': body }
      return text.replace(/\{\w+\}/g, (part) => parts[part] as string)
    })
  })
}
