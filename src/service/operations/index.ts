export type {
  ExtensionContext,
  FileToSend,
  MailToSend,
  ResourceRenderer,
  WorldReader,
} from '../extensions/context.js'
export {
  defineExtension,
  type ExtensionTools,
  type FieldsInput,
  type GapInput,
  type OperationInput,
} from '../extensions/define-extension.js'
export { type Carrier, endingHeader } from './faults.js'
export {
  createHandlersReceiver,
  type MswHandler,
  type MswServer,
  withoutPassthrough,
} from './handlers-receiver.js'
export { isReply, type Served, sentReply } from './reply.js'
export { type BaseUrl, bearerKey, defaultBaseUrl, parseBaseUrl, type ServiceRequest } from './request.js'
export { ExtensionFailure } from './request-error.js'
export { locate } from './routes.js'
export { type ExchangeListener, Service } from './service.js'
export { likelyMeant } from './undocumented.js'
export { editableFields } from './update-identity.js'
