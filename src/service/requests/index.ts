export { type Carrier, endingHeader } from './faults.js'
export {
  createHandlersReceiver,
  type MswHandler,
  type MswServer,
  withoutPassthrough,
} from './handlers-receiver.js'
export { attachmentIdOf, locate } from './routes.js'
export { type ExchangeListener, Service } from './service.js'
export { likelyMeant, nearMiss } from './undocumented.js'
