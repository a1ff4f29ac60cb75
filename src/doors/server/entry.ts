// First, since other modules need it when they are loaded.
import '../../base/platform.js'

export type { AnsweredRequest } from './request-listener.js'
export { ServerError } from './server-error.js'
export { type DeliveryTry, type RunningServer, type ServerOptions, startServer } from './start-server.js'
