export type { AnsweredRequest } from './door.js'
export { ServerError } from './server-error.js'
export { type RunningServer, type ServerOptions, startServer } from './start-server.js'
