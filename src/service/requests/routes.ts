import type { ExtensionOperation, Extensions } from '../../contract/extensions.js'
import type { OperationName } from '../../contract/operations.js'
import { serviceOperation } from '../extensions/perform.js'
import { getIdentity, updateIdentity } from '../operations/identities.js'
import { listMessages } from '../operations/list-messages.js'
import { listThreads } from '../operations/list-threads.js'
import { listWebhooks } from '../operations/list-webhooks.js'
import { matchPath, type Operation } from '../operations/operation.js'
import { type BaseUrl, parseRequestUrl, type RequestUrl, type ServiceRequest } from '../operations/request.js'

/** The operations of the contract, those that agents use most first, since requests are compared in this order. */
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

/** What a request is for, as far as its method and URL show. */
export interface RequestTarget {
  readonly url: RequestUrl
  /** The documented operation that it is for. */
  readonly documented: Route | undefined
  /** The stored file that it is for. */
  readonly fileId: string | undefined
  /** The id of the documented operation, `file` for stored files, or `other`. */
  readonly handler: string
}

/** Returns the id of the stored file that a path names; undefined when it names none. */
export function attachmentIdOf(path: string): string | undefined {
  return /^\/attachments\/(att_[0-9a-z]+)(?:\/[^/]*)?$/.exec(path)?.[1]
}

/** Finds what a request is for; undefined if its URL is outside the base URL. */
export function locate({ method, url: text }: ServiceRequest, baseUrl: BaseUrl): RequestTarget | undefined {
  const url = parseRequestUrl(text, baseUrl)
  if (!url) return undefined
  const documented = routeAmong(documentedOperations, method, url.path)
  const fileId = attachmentIdOf(url.path)
  const handler = documented?.operation.id ?? (fileId === undefined ? 'other' : 'file')
  return { url, documented, fileId, handler }
}

/** The operations of a world: the documented ones or their replacements, and those that its extensions add. */
export class Routes {
  /** The operations that extensions add. */
  readonly extensionOperations: readonly Operation[]
  /** The operations that replace documented ones, by id. */
  readonly #replacing: ReadonlyMap<string, Operation>

  constructor({ operations }: Extensions) {
    const replacing = operations.filter(({ replace }) => replace)
    this.#replacing = new Map(replacing.map((operation) => [operation.id, serviceOperation(operation)]))
    // Paths with fewer parameters come first: `/threads/search` before `/threads/{id}`.
    const added = operations.filter(({ replace }) => !replace)
    this.extensionOperations = added
      .toSorted((a, b) => parametersIn(a) - parametersIn(b))
      .map(serviceOperation)
  }

  /**
   * Returns the operation that handles a request in this world; `documented` is the documented one it is for.
   */
  find(method: string, path: string, documented: Route | undefined): Route | undefined {
    if (documented) return this.#inWorld(documented)
    return routeAmong(this.extensionOperations, method, path)
  }

  /** Returns the operations at a path, with any method. */
  at(path: string): Route[] {
    return [...documentedOperations, ...this.extensionOperations].flatMap((operation) => {
      const params = matchPath(operation.path, path)
      return params ? [this.#inWorld({ operation, params })] : []
    })
  }

  #inWorld(route: Route): Route {
    const operation = this.#replacing.get(route.operation.id)
    return operation ? { ...route, operation } : route
  }
}

function routeAmong(operations: readonly Operation[], method: string, path: string): Route | undefined {
  for (const operation of operations) {
    const params = operation.method === method ? matchPath(operation.path, path) : undefined
    if (params) return { operation, params }
  }
  return undefined
}

function parametersIn({ path }: ExtensionOperation): number {
  return path.split('{').length - 1
}
