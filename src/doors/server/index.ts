export { type AnsweredRequest, preloadApp } from './request-listener.js'
export { ServerError } from './server-error.js'
export {
  type DeliveryTry,
  type RunningServer,
  type ServerOptions,
  serverOptionsIn,
  startServer,
} from './start-server.js'
export { bracketed } from './transport/allowed-targets.js'
