import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { once } from '../contract/once.js'
import { loadMsw } from '../handlers/index.js'
import type { Simulator } from '../simulator/simulator.js'
import type { AccessOptions } from './control/access.js'
import { createAnswerDefect } from './defect.js'
import { createServiceListener } from './service-listener.js'

/** What answers requests, to whom, and who is told of what goes wrong. */
export interface InsideOptions extends AccessOptions {
  readonly simulator: Simulator
  readonly onDefect: (error: unknown, request: Request) => void
}

/**
 * Answers what has passed the guards: what reads the service at once, all else by way of the Express application, which
 * is loaded for the first request that needs it.
 */
export function createInside({ simulator, onDefect, ...access }: InsideOptions): RequestListener {
  const answerDefect = createAnswerDefect(onDefect)
  const readsService = createServiceListener(simulator.handlers, answerDefect)
  const app = once(async (): Promise<RequestListener> => {
    // The middleware requires it, and somebody else in this process may be just about to import it.
    await loadMsw()
    const { createApp } = await import('./app.js')
    return createApp({ simulator, answerDefect, ...access })
  })
  const answerInApp = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await app()
    answer(request, response)
  }
  return (request, response) => {
    if (readsService(request, response)) return
    answerInApp(request, response).catch((error) => answerDefect(error, request, response))
  }
}
