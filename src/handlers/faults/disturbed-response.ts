import type { Answer, Clock } from '../../world/index.js'
import type { Reply } from '../reply.js'

/** Who carries answers: the program's own `fetch`, or a server with a connection that it can end. */
export type Carrier = 'fetch' | 'server'

/** The header by which an answer tells the server how its connection ends; clients never see it. */
export const endingHeader = 'x-agent-mailbox-sim-ending'

/** Statuses of answers that have no body. */
const bodiless = [204, 205, 304]

/** A reply as faults take it. */
export function answerOf({ status, headers, content }: Reply): Answer {
  return { status, headers, bytes: content?.bytes() ?? null, ending: 'whole', drip: 0 }
}

/** How a disturbed answer reaches its client. */
interface Delivery {
  readonly clock: Clock
  readonly carrier: Carrier
  /** The client gives up. */
  readonly signal: AbortSignal
}

/** The response that a disturbed answer is to a client. */
export function disturbedResponse(answer: Answer, delivery: Delivery): Response {
  const { carrier } = delivery
  const { status, ending } = answer
  if (ending === 'reset' && carrier === 'fetch') return Response.error()
  const body = ending === 'reset' || bodiless.includes(status) ? null : bodyOf(answer, delivery)
  const marks = ending !== 'whole' && carrier === 'server' ? { [endingHeader]: ending } : {}
  return new Response(body, { status, headers: { ...lengthOf(answer), ...answer.headers, ...marks } })
}

function lengthOf({ bytes }: Answer): Record<string, string> {
  return bytes === null ? {} : { 'content-length': String(bytes.length) }
}

function bodyOf(answer: Answer, delivery: Delivery): ReadableStream | Uint8Array<ArrayBuffer> | null {
  const cut = answer.ending === 'cut' && delivery.carrier === 'fetch'
  if (answer.bytes === null || (answer.drip === 0 && !cut)) return answer.bytes
  return slowBody(piecesOf(answer.bytes, answer.drip > 0 ? 10 : 1), { ...delivery, drip: answer.drip, cut })
}

/** A body in pieces, as a connection brings them: one that is cut, or given up by its client, fails. */
function slowBody(
  pieces: Uint8Array[],
  { clock, signal, drip, cut }: Delivery & { readonly drip: number; readonly cut: boolean },
): ReadableStream {
  const pause = drip / pieces.length
  let next = 0
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces[next++]
      if (piece === undefined) return cut ? controller.error(new TypeError('terminated')) : controller.close()
      if (pause > 0) await clock.wait(pause, signal)
      // MSW passes on the signal, but lets the body of its answer go on.
      return signal.aborted ? controller.error(signal.reason) : controller.enqueue(piece)
    },
  })
}

/** A body in so many pieces of about equal length; fewer where it is shorter than that. */
function piecesOf(bytes: Uint8Array, count: number): Uint8Array[] {
  const length = Math.max(1, Math.ceil(bytes.length / count))
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += length) pieces.push(bytes.subarray(at, at + length))
  return pieces
}
