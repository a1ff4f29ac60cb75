import { type OperationName, operations } from '../../contract/operations.js'
import type { FaultedRequest, FaultRule, World } from '../../world/index.js'
import { routesAt } from '../routing.js'
import type { Target } from '../target.js'

/** A rule that disturbs a request, and the operation it would have been. */
export interface Disturbance {
  readonly rule: FaultRule
  readonly operation: OperationName | null
}

/** What disturbs a request; counted, so asked once for each. */
export function disturbanceOf(world: World, method: string, target: Target): Disturbance | undefined {
  if (world.faults.none) return undefined
  const request = faultedRequest(world, method, target)
  const rule = world.faults.hit(request)
  return rule && { rule, operation: request.operation }
}

function faultedRequest(world: World, method: string, { path, search }: Target): FaultedRequest {
  const route = routesAt(path).find(({ operation }) => operations[operation].method === method)
  const handle = route?.handle ? decoded(route.handle) : handleIn(world, new URLSearchParams(search))
  return { operation: route?.operation ?? null, method, path, handle: handle?.replace(/^@/, '') }
}

/** The agent a query is about: by its handle, or by its mailbox. */
function handleIn({ store }: World, query: URLSearchParams): string | undefined {
  const handle = query.get('agent') ?? query.get('agent_handle')
  if (handle !== null) return handle
  const mailbox = query.get('mailbox')
  return mailbox === null ? undefined : store.identityByMailboxAnywhere(mailbox)?.agent_handle
}

function decoded(handle: string): string | undefined {
  try {
    return decodeURIComponent(handle)
  } catch {
    return undefined
  }
}
