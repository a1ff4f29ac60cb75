import { expect, it } from 'vitest'
import { smallWorld } from '../../../test/support/world/small-world.js'
import type { LogStore } from './log-store.js'
import { LogWriter } from './log-writer.js'

it('confirms nothing once its world is abandoned, even without pending changes', async () => {
  const claim = { epoch: 1, sequence: 0, batches: [], isNew: true, isShared: false, before: 0 }
  const options = { now: () => 0, onWritten: () => undefined, onLost: () => undefined }
  const writer = new LogWriter(smallWorld(), claim, {} as LogStore, options)
  expect(writer.settled()).toBeUndefined()
  writer.abandon()
  await expect(writer.settled()).rejects.toMatchObject({ code: 'moved', retryAfter: 1 })
})
