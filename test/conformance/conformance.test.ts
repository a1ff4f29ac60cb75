import { describe } from 'vitest'
import { parts } from './parts.js'
import { handlers } from './transports/handlers.js'

// The transports in conformance.full.test.ts show the same suite; byte-equality.test.ts compares all three here.
describe(handlers.name, () => {
  for (const { describePart } of parts) describePart(handlers)
})
