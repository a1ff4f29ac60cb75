import type { ExtensionOperation, Extensions } from '../contract/extensions.js'
import type { OperationName } from '../contract/operations.js'
import { serviceOperation } from './extensions/perform.js'
import { getIdentity } from './get-identity.js'
import { listMessages } from './list-messages.js'
import { listThreads } from './list-threads.js'
import { listWebhooks } from './list-webhooks.js'
import { matchPath, type Operation } from './operation.js'
import { updateIdentity } from './update-identity.js'

/** The operations of the contract, those that agents use most first, since MSW tries them in this order. */
const operations: { readonly [Name in OperationName]: Operation } = {
  'threads.list': listThreads,
  'messages.list': listMessages,
  'identities.get': getIdentity,
  'identities.update': updateIdentity,
  'webhooks.list': listWebhooks,
}

/** All documented operations, in the order in which requests are matched. */
export const documentedOperations: readonly Operation[] = Object.values(operations)

/** An operation that matches a path, with the parameters in the path, still percent-encoded. */
export interface Route {
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
}

/** The operations of a world: the documented ones or their replacements, and those that its extensions add. */
export class Routes {
  /** The operations that extensions add. */
  readonly further: readonly Operation[]
  /** The operations that replace documented ones, by id. */
  readonly replacing: ReadonlyMap<string, Operation>

  constructor({ operations }: Extensions) {
    const replacing = operations.filter(({ replace }) => replace)
    this.replacing = new Map(replacing.map((operation) => [operation.id, serviceOperation(operation)]))
    // Paths with fewer parameters come first: `/threads/search` before `/threads/{id}`.
    const further = operations.filter(({ replace }) => !replace)
    this.further = further.toSorted((a, b) => parametersIn(a) - parametersIn(b)).map(serviceOperation)
  }

  /** Returns the operations at a path, with any method. */
  at(path: string): Route[] {
    return [...documentedOperations, ...this.further].flatMap((operation) => {
      const params = matchPath(operation.path, path)
      return params ? [{ operation: this.replacing.get(operation.id) ?? operation, params }] : []
    })
  }

  /** Returns the operation that a request is for. */
  find(method: string, path: string): Route | undefined {
    return this.at(path).find(({ operation }) => operation.method === method)
  }
}

function parametersIn({ path }: ExtensionOperation): number {
  return path.split('{').length - 1
}
