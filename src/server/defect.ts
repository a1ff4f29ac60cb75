import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendRejection } from './rejection.js'

/** Answers a request on which the simulator itself failed. */
export type AnswerDefect = (error: unknown, request: IncomingMessage, response: ServerResponse) => void

/** What answers such requests, once `onDefect` has been told. */
export function createAnswerDefect(onDefect: (error: unknown, request: Request) => void): AnswerDefect {
  return (error, { method = 'GET', url, headers }, response) => {
    onDefect(error, new Request(`http://${headers.host}${url}`, { method }))
    if (response.headersSent) return void response.destroy()
    const message = 'The simulator failed; its log has the stack trace. Please report it.'
    sendRejection(response, { status: 500, code: 'simulator_defect', message })
  }
}
