export type { AnsweredRequest } from './door.js'
export type { DeliveryTry } from './outlet/delivery-watch.js'
export { ServerError } from './server-error.js'
export { type RunningServer, type ServerOptions, startServer } from './start-server.js'
