export type { DeliveryTry } from './attempt-reporter.js'
export type { AnsweredRequest } from './request-listener.js'
export { ServerError } from './server-error.js'
export { type RunningServer, type ServerOptions, startServer } from './start-server.js'
