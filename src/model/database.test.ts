import { afterEach, describe, expect, it, vi } from 'vitest'
import { sampleRow } from '../../test/support/model/sample-rows.js'
import { Database, type DatabaseListener } from './database.js'
import type { ThreadRow } from './rows.js'

const deaf: DatabaseListener = { created: () => {}, updated: () => {} }
const row = (id: string, fields: Partial<ThreadRow> = {}): ThreadRow => ({
  ...sampleRow.thread(id, fields),
  ordinal: 0,
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a database where window and BroadcastChannel exist', () => {
  it('opens no channel to databases of other threads', () => {
    const opened: string[] = []
    vi.stubGlobal('window', {})
    vi.stubGlobal('BroadcastChannel', function Watched(name: string) {
      opened.push(name)
    })
    new Database(deaf).put('thread', row('thrd_x'), 0)
    expect(opened).toEqual([])
  })
})

describe('a database', () => {
  it('tells its listener what was created and what was replaced', () => {
    const told: unknown[] = []
    const database = new Database({
      created: (model, { id }) => told.push(['created', model, id]),
      updated: (model, previous, next) =>
        told.push(['updated', model, (previous as ThreadRow).subject, (next as ThreadRow).subject]),
    })
    database.put('thread', row('thrd_x', { subject: 'one' }), 0)
    database.put('thread', row('thrd_x', { subject: 'two' }), 0)
    expect(told).toEqual([
      ['created', 'thread', 'thrd_x'],
      ['updated', 'thread', 'one', 'two'],
    ])
    expect(database.count('thread')).toBe(1)
    expect(database.get('thread', 'thrd_x')?.subject).toBe('two')
  })

  it('knows nothing of another', () => {
    const [one, other] = [new Database(deaf), new Database(deaf)]
    one.put('thread', row('thrd_x'), 0)
    expect(other.get('thread', 'thrd_x')).toBeUndefined()
    expect([...other.all('thread')]).toEqual([])
  })

  it('has the fields of every row in one order, whoever wrote it', () => {
    const database = new Database(deaf)
    const backwards = Object.fromEntries(Object.entries(row('thrd_x')).reverse()) as unknown as ThreadRow
    expect(Object.keys(backwards)).not.toEqual(Object.keys(row('thrd_x')))
    database.put('thread', backwards, 0)
    database.put('thread', row('thrd_y'), 0)
    const [first, second] = [...database.all('thread')].map((thread) => Object.keys(thread))
    expect(first).toEqual(second)
  })

  it('shows plain rows: nothing of the library appears in their JSON', () => {
    const database = new Database(deaf)
    database.put('thread', row('thrd_x'), 0)
    expect(JSON.stringify(database.get('thread', 'thrd_x'))).toBe(JSON.stringify(row('thrd_x')))
  })
})
