import type { ExtensionOperation } from '../../contract/extensions.js'
import { fromBase64, toBase64 } from '../../mail/transfer-encoding.js'
import type { OperationContext } from '../operations/operation.js'
import type { Reply } from '../operations/reply.js'
import { decodeUtf8 } from '../operations/request.js'
import { canonicalJson, hashText, hexOf } from '../time/random.js'
import type { KeptAnswer } from '../world/kept-answers.js'

/** An earlier request with the same `Idempotency-Key`, to the same operation and for the same organization. */
export interface EarlierRequest {
  /** Whether it had equal parameters and an equal body. */
  readonly isSame: boolean
}

/** What a request asks for: its validated parameters and body. */
interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/**
 * Performs a request and keeps its response under its `Idempotency-Key`, or returns the kept response to an
 * earlier request if the operation says so. Requests with one key wait for each other. Only responses to
 * requests that changed the world are kept.
 */
export async function answerOnce(
  { id, idempotency }: ExtensionOperation,
  context: OperationContext,
  input: Input,
  perform: () => Promise<Reply>,
  decide: (earlier: EarlierRequest) => boolean,
): Promise<Reply> {
  const key = context.request.headers.get('idempotency-key')
  if (!key || !idempotency) return perform()
  const { answers, clock } = context.selected.world
  const keyed = { organization_id: context.organization.id, operation: id, idempotency_key: key }
  const request = hexOf(hashText(canonicalJson(input)))
  const answer = async (): Promise<Reply> => {
    const kept = answers.find(keyed, clock.now())
    if (kept && decide({ isSame: kept.request === request })) {
      context.replayed = answers.commandOf(kept)
      return replyOfKept(kept)
    }
    const reply = await perform()
    const { commands, apply } = context
    if (kept || commands.length === 0) return reply
    apply({ type: 'keep-answer', ...keyed, request, ...contentsOf(reply) })
    answers.noteCommand(keyed, commands.at(-1) as number)
    return reply
  }
  return context.rehearsal ? answer() : answers.inTurn(keyed, answer)
}

function contentsOf({
  status,
  headers,
  body,
}: Reply): Pick<KeptAnswer, 'status' | 'headers' | 'body' | 'encoding'> {
  const bytes = body?.bytes()
  if (!bytes) return { status, headers: { ...headers }, body: null }
  const text = decodeUtf8(bytes)
  // The decoder drops a byte order mark.
  const isText = text !== undefined && new TextEncoder().encode(text).length === bytes.length
  const written = isText ? { body: text } : { body: toBase64(bytes), encoding: 'base64' as const }
  return { status, headers: { ...headers }, ...written }
}

function replyOfKept({ status, headers, body, encoding }: KeptAnswer): Reply {
  if (body === null) return { status, headers, body: null }
  const bytes = encoding ? fromBase64(body) : new TextEncoder().encode(body)
  return { status, headers, body: { bytes: () => bytes, size: bytes.length } }
}
