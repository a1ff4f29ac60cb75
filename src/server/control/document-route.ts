import { z } from '../../contract/schema.js'
import { version } from '../version.js'
import { createDocument } from './document.js'
import { defineOperation, type Route } from './route.js'

/** `GET /_sim/control.json`: the control API itself, described from its own routes. */
export function createDocumentRoute(routes: () => readonly Route[]): Route {
  return {
    path: '/control.json',
    operations: {
      GET: defineOperation({
        summary: 'The control API itself as OpenAPI 3.1.',
        answer: z.object({ openapi: z.string() }).loose(),
        perform: () => createDocument(routes(), version),
      }),
    },
  }
}
