import { describe } from 'vitest'
import { parts } from './parts.js'
import { interceptor } from './transports/interceptor.js'
import { server } from './transports/server.js'

describe.each([interceptor, server])('$name', (transport) => {
  for (const { describePart } of parts) describePart(transport)
})
