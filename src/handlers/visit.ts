import type { OperationName } from '../contract/operations.js'
import type { Destination, Renderer, Settle, World } from '../world/index.js'
import type { Reply } from './reply.js'
import type { RequestBody } from './request-body.js'
import type { ServiceRequest } from './service-request.js'
import type { Target } from './target.js'

/** One request on its way: what is known of it before an operation takes it. */
export interface Visit {
  readonly request: ServiceRequest
  readonly body: RequestBody
  readonly target: Target
  readonly key: string | undefined
  readonly caller: Destination
  readonly settle: Settle
  readonly render: Renderer
  /** Changes the world by a command, or, in a rehearsal, tells what it would give. */
  readonly apply: World['apply']
  /** Answered only to see whether another reading makes a difference: nothing may change. */
  readonly rehearsal: boolean
  /** Keeps the body as it was read, for the journal. */
  noteBody(body: string): void
  /** Tells the journal which operation it turned out to be. */
  noteOperation(name: OperationName): void
}

/** What answers one kind of request. @throws Refusal */
export type Answerer = (visit: Visit) => Reply | Promise<Reply>
