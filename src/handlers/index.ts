import type { HttpHandler } from 'msw'
import { type OperationName, operations } from '../contract/operations.js'
import { performOperation } from './operation.js'
import { OperationHandler } from './operation-handler.js'
import { handleInPath } from './routing.js'
import { type Served, Service, type ServiceOptions } from './service.js'
import type { ServiceRequest } from './service-request.js'
import { attachmentIdOf, storedFile } from './stored-file.js'
import { answerUnknown } from './unknown-operation.js'

export { createHandlersReceiver, withoutPassthrough } from './delivery-receiver.js'
export { type Carrier, endingHeader } from './faults/disturbed-response.js'
export { likelyMeant } from './near-miss.js'
export { isReply, type SentReply, sentReply } from './reply.js'
export type { Served, ServiceOptions } from './service.js'
export type { ServiceRequest } from './service-request.js'
export { parseSite, type Site } from './target.js'
export { loadMsw } from './whole-msw.js'

/**
 * What the service gives a client, without the `Response` and its stream that MSW would carry it in: a reply, or the
 * response that a fault made of one. Undefined where none of the handlers is the service's, or takes the request.
 */
export function serve(
  handlers: readonly (HttpHandler | OperationHandler)[],
  request: ServiceRequest,
): Promise<Served> | undefined {
  for (const handler of handlers) {
    const served = handler instanceof OperationHandler ? handler.serve(request) : undefined
    if (served) return served
  }
  return undefined
}

/** The operations in the order agents use them most, since MSW asks handlers one after another. */
const byUse: readonly OperationName[] = [
  'threads.list',
  'messages.list',
  'identities.get',
  'identities.update',
  'webhooks.list',
]

/** The MSW handlers of the whole service: the operations, the stored files, and everything else below /api/v1. */
export function createHandlers(options: ServiceOptions): HttpHandler[] {
  const service = new Service(options)
  return [
    ...byUse.map((name) => operationHandler(service, name)),
    storedFileHandler(service),
    unknownOperationHandler(service),
  ] as unknown as HttpHandler[]
}

function operationHandler(service: Service, name: OperationName): OperationHandler {
  const { method, path } = operations[name]
  return new OperationHandler(service, method, path.replace('{handle}', ':handle'), (request, target) => {
    if (request.method !== method) return undefined
    const handle = handleInPath(name, target.path)
    if (handle === undefined) return undefined
    return service.answer(request, target, (visit) => performOperation(name, handle, visit))
  })
}

function storedFileHandler(service: Service): OperationHandler {
  return new OperationHandler(service, /^(GET|HEAD)$/, '/attachments/:id/:filename', (request, target) => {
    const id = attachmentIdOf(target.path)
    if (id === undefined || !/^(GET|HEAD)$/.test(request.method)) return undefined
    return service.answer(request, target, (visit) => storedFile(id, service.worlds, visit))
  })
}

function unknownOperationHandler(service: Service): OperationHandler {
  return new OperationHandler(service, /.+/, '/api/v1/*', (request, target) => {
    if (!/^\/api\/v1(\/|$)/.test(target.path)) return void service.noteElsewhere(request, target)
    return service.answer(request, target, answerUnknown)
  })
}
