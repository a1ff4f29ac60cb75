import type { OperationName } from '../contract/operations.js'
import { getIdentity } from './get-identity.js'
import { listMessages } from './list-messages.js'
import { listThreads } from './list-threads.js'
import { listWebhooks } from './list-webhooks.js'
import type { Operation } from './operation.js'
import { updateIdentity } from './update-identity.js'

/** How each operation of the contract is answered, those that agents use most first: MSW asks them in this order. */
const operations: { readonly [Name in OperationName]: Operation } = {
  'threads.list': listThreads,
  'messages.list': listMessages,
  'identities.get': getIdentity,
  'identities.update': updateIdentity,
  'webhooks.list': listWebhooks,
}

/** All documented operations, in the order in which requests are compared with them. */
export const allOperations: readonly Operation[] = Object.values(operations)

/** An operation that a path belongs to, with the parameters in the path, percent-encoded as they came. */
export interface Route {
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
}

/** The documented operations at a path, whatever their method. */
export function routesAt(path: string): Route[] {
  return allOperations.flatMap((operation) => {
    const params = matchPath(operation.path, path)
    return params ? [{ operation, params }] : []
  })
}

/** The parameters that a path gives a pattern such as `/api/v1/identities/{handle}`; undefined where it does not fit. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  if (!pattern.includes('{')) return path === pattern ? {} : undefined
  const segments = path.split('/')
  const wanted = pattern.split('/')
  if (segments.length !== wanted.length) return undefined
  const params: Record<string, string> = {}
  for (const [place, name] of wanted.entries()) {
    const segment = segments[place] as string
    if (!name.startsWith('{')) {
      if (segment !== name) return undefined
    } else if (segment === '') return undefined
    else params[name.slice(1, -1)] = segment
  }
  return params
}
