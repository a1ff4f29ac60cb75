import type { HttpHandler } from 'msw'
import { type Operation, performOperation } from './operation.js'
import type { ServiceRequest } from './request.js'
import { type Endpoint, ServiceHandler } from './request-handler.js'
import { allOperations, matchPath } from './routes.js'
import { type Served, Service, type ServiceOptions } from './service.js'
import { attachmentIdOf, storedFile } from './stored-file.js'
import { answerUnmatched } from './undocumented.js'

export { bearerKey } from './authentication.js'
export type { ExtensionContext, MailToSend, ResourceRenderer, WorldReader } from './extensions/context.js'
export {
  defineExtension,
  type ExtensionTools,
  type GapInput,
  type OperationInput,
} from './extensions/define-extension.js'
export { type Carrier, endingHeader } from './faults.js'
export { type SentReply, sentReply } from './reply.js'
export { type BaseUrl, parseBaseUrl, type ServiceRequest } from './request.js'
export { ExtensionFailure } from './request-error.js'
export { createHandlersReceiver, isReply, loadMsw, withoutPassthrough } from './request-handler.js'
export type { Served, ServiceOptions } from './service.js'
export { likelyMeant } from './undocumented.js'

/** The MSW handlers of the whole service: the operations, the stored files, and everything else below /api/v1. */
export function createHandlers(options: ServiceOptions): HttpHandler[] {
  const service = new Service(options)
  const endpoints = [
    ...allOperations.map((operation) => operationEndpoint(operation, service)),
    fileEndpoint(service),
    extensionEndpoint(service),
    otherEndpoint(service),
  ]
  // TypeScript compares the private members of classes, too.
  return endpoints.map((endpoint) => new ServiceHandler(service, endpoint)) as unknown as HttpHandler[]
}

/**
 * Gives a client what the service's handlers answer, without the `Response` and its stream that MSW would carry it in;
 * undefined where no handler is the service's, or takes the request.
 */
export function serve(
  handlers: readonly (HttpHandler | ServiceHandler)[],
  request: ServiceRequest,
): Promise<Served> | undefined {
  for (const handler of handlers) {
    const served = handler instanceof ServiceHandler ? handler.serve(request) : undefined
    if (served) return served
  }
  return undefined
}

/** Whether the service of one of the handlers may answer at an address. */
export function isForService(handlers: readonly object[], url: string): boolean {
  return handlers.some((handler) => handler instanceof ServiceHandler && handler.isAt(url))
}

/**
 * Explains a request that no handler took, where it looks like one to the service at another address, and records it as
 * a near miss; undefined for any other request.
 */
export function noteStray(handlers: readonly object[], request: Request): string | undefined {
  return handlers.find((handler) => handler instanceof ServiceHandler)?.noteStray(request)
}

function operationEndpoint(operation: Operation, service: Service): Endpoint {
  const { method } = operation
  return {
    method,
    path: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    resolve(request, { path }) {
      const params = request.method === method ? matchPath(operation.path, path) : undefined
      return (
        params &&
        ((context) => {
          const routes = service.routesIn(context.selected.world)
          return performOperation(routes ? routes.insteadOf(operation) : operation, params, context)
        })
      )
    },
  }
}

function fileEndpoint({ worlds }: Service): Endpoint {
  return {
    method: /^(GET|HEAD)$/,
    path: '/attachments/:id/:filename',
    resolve({ method }, { path }) {
      const id = /^(GET|HEAD)$/.test(method) ? attachmentIdOf(path) : undefined
      return id === undefined ? undefined : (context) => storedFile(id, worlds, context)
    },
  }
}

/** Operations of extensions; a request that none of them takes is for the next endpoint. */
function extensionEndpoint(service: Service): Endpoint {
  return {
    method: /.+/,
    path: '/api/v1/*',
    resolve(request, { path }) {
      const routes = service.routesFor(request)?.at(path) ?? []
      const route = routes.find(({ operation }) => operation.method === request.method)
      return route && ((context) => performOperation(route.operation, route.params, context))
    },
  }
}

function otherEndpoint(service: Service): Endpoint {
  return {
    method: /.+/,
    path: '/api/v1/*',
    resolve(request, url) {
      if (/^\/api\/v1(\/|$)/.test(url.path))
        return (context) => answerUnmatched(context, service.routesIn(context.selected.world))
      service.noteElsewhere(request, url)
      return undefined
    },
  }
}
