export { Arrivals, arrivalSchema, type DatedArrival, unlistedFor } from './arrivals.js'
export { Deliveries, type DeliveryFilter, showDelivery } from './deliveries.js'
export {
  type AttemptCause,
  type AttemptError,
  attemptCauses,
  attemptErrorCodes,
  type Delivery,
  type DeliveryAttempt,
  DeliveryRecord,
  type DeliveryState,
  type DeliveryStatus,
  deliveryStatuses,
  type ReceiverAnswer,
  reachedReceiver,
  type WrittenDelivery,
  writtenDeliverySchema,
} from './delivery.js'
export { type DeliveryFormat, deliveryFormatSchema } from './delivery-format.js'
export type { DeliveryHost, ObservedWorld } from './delivery-host.js'
export { secretOf } from './delivery-request.js'
export { DeliveryDispatcher } from './dispatcher.js'
export {
  type DispatcherState,
  dispatcherState,
  dispatcherStateSchema,
  postponed,
} from './dispatcher-state.js'
export { parseRetryAfter } from './retry-policy.js'
export type { NewMailEvent } from './subscriptions.js'
export {
  callReceiver,
  capturing,
  type DeliveryTransport,
  isDeliveryRequest,
  type OutgoingRequest,
  type Receiver,
  Receivers,
  readAnswer,
  TransportError,
} from './transport.js'
