import { afterEach, describe, expect, it, vi } from 'vitest'
import { sampleRow } from '../../test/support/model/sample-rows.js'
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
  it('notifies its listener of created and replaced rows', () => {
    const events: unknown[] = []
    const database = new Database({
      created: (model, { id }) => events.push(['created', model, id]),
      updated: (model, previous, next) =>
        events.push(['updated', model, (previous as ThreadRow).subject, (next as ThreadRow).subject]),
    })
    database.put('thread', row('thrd_x', { subject: 'one' }), 0)
    database.put('thread', row('thrd_x', { subject: 'two' }), 0)
    expect(events).toEqual([
      ['created', 'thread', 'thrd_x'],
      ['updated', 'thread', 'one', 'two'],
    ])
    expect(database.count('thread')).toBe(1)
    expect(database.get('thread', 'thrd_x')?.subject).toBe('two')
  })

  it('is independent of other databases', () => {
    const [one, other] = [new Database(noListener), new Database(noListener)]
    one.put('thread', row('thrd_x'), 0)
    expect(other.get('thread', 'thrd_x')).toBeUndefined()
    expect([...other.all('thread')]).toEqual([])
  })

  it('orders the fields of every row the same', () => {
    const database = new Database(noListener)
    const backwards = Object.fromEntries(Object.entries(row('thrd_x')).reverse()) as unknown as ThreadRow
    expect(Object.keys(backwards)).not.toEqual(Object.keys(row('thrd_x')))
    database.put('thread', backwards, 0)
    database.put('thread', row('thrd_y'), 0)
    const [first, second] = [...database.all('thread')].map((thread) => Object.keys(thread))
    expect(first).toEqual(second)
  })

  it('returns plain rows without library fields in their JSON', () => {
    const database = new Database(noListener)
    database.put('thread', row('thrd_x'), 0)
    expect(JSON.stringify(database.get('thread', 'thrd_x'))).toBe(JSON.stringify(row('thrd_x')))
  })
})
