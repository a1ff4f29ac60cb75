import type { ExtensionOperation } from '../../contract/extensions.js'
import { fromBase64, toBase64 } from '../../mail/transfer-encoding.js'
import type { OperationContext } from '../operations/operation.js'
import type { Reply } from '../operations/reply.js'
import { decodeUtf8 } from '../operations/request.js'
import { withBase } from '../rendering/resources.js'
import { canonicalJson, hashText, hexOf } from '../time/random.js'
import { findKept, type KeptAnswer, type KeyedRequest, nameOfKept } from '../world/kept-answers.js'
import type { World } from '../world/world.js'

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
  const { world } = context.selected
  const { base } = context.url
  const keyed = { organization_id: context.organization.id, operation: id, idempotency_key: key }
  const request = hexOf(hashText(canonicalJson(input)))
  const answer = async (): Promise<Reply> => {
    const kept = findKept(world.answers, keyed, world.clock.now())
    if (kept && decide({ isSame: kept.request === request })) {
      context.replayed = world.journal.keeperOf(keyed)
      return replyOfKept(kept, base)
    }
    const reply = await perform()
    const { commands, apply } = context
    if (kept || commands.length === 0) return reply
    apply({ type: 'keep-answer', ...keyed, request, ...contentsOf(reply, base) })
    return reply
  }
  return context.rehearsal ? answer() : inTurn(world, keyed, answer)
}

/** The requests in progress in each world, by the name under which their responses are kept. */
const turns = new WeakMap<World, Map<string, Promise<unknown>>>()

/** Handles a request once the earlier requests with the same key have their responses. */
async function inTurn<Answer>(
  world: World,
  request: KeyedRequest,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const inProgress = turns.get(world) ?? new Map<string, Promise<unknown>>()
  turns.set(world, inProgress)
  const name = nameOfKept(request)
  const earlier = inProgress.get(name)
  const turn = earlier ? earlier.then(answer, answer) : answer()
  inProgress.set(name, turn)
  try {
    return await turn
  } finally {
    if (inProgress.get(name) === turn) inProgress.delete(name)
  }
}

/** The addresses of stored files are kept without that of this server, which may change. */
function contentsOf(
  { status, headers, body }: Reply,
  base: string,
): Pick<KeptAnswer, 'status' | 'headers' | 'body' | 'encoding'> {
  const bytes = body?.bytes()
  if (!bytes) return { status, headers: { ...headers }, body: null }
  const text = decodeUtf8(bytes)
  // The decoder drops a byte order mark.
  const isText = text !== undefined && new TextEncoder().encode(text).length === bytes.length
  const written = isText
    ? { body: withBase(text, base, '') }
    : { body: toBase64(bytes), encoding: 'base64' as const }
  return { status, headers: { ...headers }, ...written }
}

function replyOfKept({ status, headers, body, encoding }: KeptAnswer, base: string): Reply {
  if (body === null) return { status, headers, body: null }
  const bytes = encoding ? fromBase64(body) : new TextEncoder().encode(withBase(body, '', base))
  return { status, headers, body: { bytes: () => bytes, size: bytes.length } }
}
