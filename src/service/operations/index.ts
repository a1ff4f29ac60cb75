export { getIdentity } from './get-identity.js'
export { settleHandleFormat } from './identity-lookup.js'
export { readBytes, readJsonBody, settleContentType, smallerMaximum } from './json-body.js'
export { listMessages, pageOfMessages, settleUnknown } from './list-messages.js'
export { listThreads, pageOfThreads, scopeOfBoth, scopeOfUnknown } from './list-threads.js'
export { filterNames, filterNamesIn, listWebhooks } from './list-webhooks.js'
export {
  authenticate,
  matchPath,
  type Operation,
  type OperationContext,
  type PathParameters,
  performOperation,
  Query,
  type QueryContext,
} from './operation.js'
export {
  cutError,
  isReply,
  jsonReply,
  type Reply,
  resetResponse,
  type Served,
  sameReply,
  sentReply,
  withCors,
} from './reply.js'
export {
  applyWithin,
  asRequest,
  type BaseUrl,
  bearerKey,
  checkGeneration,
  decodePart,
  decodeUtf8,
  defaultBaseUrl,
  ignoredHint,
  isRead,
  parseBaseUrl,
  parseRequestUrl,
  type ReceivedRequest,
  RequestBody,
  type RequestContext,
  type RequestUrl,
  type Resolver,
  requestOf,
  type ServiceRequest,
} from './request.js'
export {
  ExtensionFailure,
  errorFacts,
  errorReply,
  notFound,
  notFoundCode,
  RequestError,
  type RequestErrorKind,
  reject,
} from './request-error.js'
export { changesOf, editableFields, isTouched, settleAtHandle, updateIdentity } from './update-identity.js'
