import { afterEach, describe, expect, it, vi } from 'vitest'
import { sampleRow } from '../../../test/support/model/sample-rows.js'
import { Database, type DatabaseListener } from './database.js'
import type { ThreadRow } from './rows.js'

const noListener: DatabaseListener = { created: () => {}, updated: () => {} }
const row = (id: string, fields: Partial<ThreadRow> = {}): ThreadRow => ({
  ...sampleRow.thread(id, fields),
  ordinal: 0,
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('Database in a browser', () => {
  it('opens no BroadcastChannel', () => {
    const opened: string[] = []
    vi.stubGlobal('window', {})
    vi.stubGlobal('BroadcastChannel', function Watched(name: string) {
      opened.push(name)
    })
    new Database(noListener).put('thread', row('thrd_x'), 0)
    expect(opened).toEqual([])
  })
})

describe('Database', () => {
  it('returns plain rows without library fields in their JSON', () => {
    const database = new Database(noListener)
    database.put('thread', row('thrd_x'), 0)
    expect(JSON.stringify(database.get('thread', 'thrd_x'))).toBe(JSON.stringify(row('thrd_x')))
  })
})
