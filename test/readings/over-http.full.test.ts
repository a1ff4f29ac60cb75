import { describe, it } from 'vitest'
import { server } from '../conformance/transports/server.js'
import { expectReadings, requestGaps } from './every-reading.js'

describe('every reading of a gap, over HTTP', () => {
  // register.test.ts shows the same without a server.
  it.each(requestGaps)('%s', (gap) => expectReadings(gap, server))
})
