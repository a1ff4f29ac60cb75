import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDatabase, type DatabaseListener } from './database.js'
import { libraryModels } from './library-models.fixture.js'
import type { ThreadRow } from './rows.js'
import { sampleRow } from './sample-rows.fixture.js'

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
    createDatabase(deaf).put('thread', row('thrd_x'))
    expect(opened).toEqual([])
  })
})

describe('a database', () => {
  it('tells its listener what was created and what was replaced', () => {
    const told: unknown[] = []
    const database = createDatabase({
      created: (model, { id }) => told.push(['created', model, id]),
      updated: (model, previous, next) =>
        told.push(['updated', model, (previous as ThreadRow).subject, (next as ThreadRow).subject]),
    })
    database.put('thread', row('thrd_x', { subject: 'one' }))
    database.put('thread', row('thrd_x', { subject: 'two' }))
    expect(told).toEqual([
      ['created', 'thread', 'thrd_x'],
      ['updated', 'thread', 'one', 'two'],
    ])
    expect(database.count('thread')).toBe(1)
    expect(database.get('thread', 'thrd_x')?.subject).toBe('two')
  })

  it('knows nothing of another', () => {
    const [one, other] = [createDatabase(deaf), createDatabase(deaf)]
    one.put('thread', row('thrd_x'))
    expect(other.get('thread', 'thrd_x')).toBeUndefined()
    expect([...other.all('thread')]).toEqual([])
    expect(libraryModels(other).thread.getAll()).toEqual([])
    expect(libraryModels(one).thread.getAll()).toHaveLength(1)
  })

  it('has the fields of every row in one order, whoever wrote it', () => {
    const database = createDatabase(deaf)
    const backwards = Object.fromEntries(Object.entries(row('thrd_x')).reverse()) as unknown as ThreadRow
    expect(Object.keys(backwards)).not.toEqual(Object.keys(row('thrd_x')))
    database.put('thread', backwards)
    database.put('thread', row('thrd_y'))
    const [first, second] = [...database.all('thread')].map((thread) => Object.keys(thread))
    expect(first).toEqual(second)
  })

  it('shows plain rows: nothing of the library appears in their JSON', () => {
    const database = createDatabase(deaf)
    database.put('thread', row('thrd_x'))
    expect(JSON.stringify(database.get('thread', 'thrd_x'))).toBe(JSON.stringify(row('thrd_x')))
  })
})
