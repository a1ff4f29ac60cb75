import { expect, it } from 'vitest'
import { annsMail, smallBeginning } from '../../../test/support/world/small-world.js'
import { digestOf } from '../../service/world/digest.js'
import type { WrittenEntry } from '../../service/world/entry-json.js'
import { Fold } from '../../service/world/fold.js'
import { World } from '../../service/world/world.js'
import { defaultHost } from '../../service/world/world-host.js'
import { LogScan } from './log-scan.js'
import type { Batch, Claim, LogStore, ReadLog } from './log-store.js'
import { LogWriter } from './log-writer.js'

const options = { now: () => 0, onWritten: () => undefined, onLost: () => undefined }

/** Keeps the batches of one log in memory, and what each of them was written after. */
class MemoryStore {
  batches = new Map<number, string>()
  readonly longest: number[] = []
  /** Called before a batch counts as written. */
  onAppend: () => Promise<void> | void = () => undefined

  async append({ sequence, entries }: Batch): Promise<void> {
    await this.onAppend()
    this.batches.set(sequence, entries)
    this.longest.push(entries.length)
  }

  async cut(_id: string, _epoch: number, before: number): Promise<void> {
    for (const sequence of [...this.batches.keys()]) if (sequence < before) this.batches.delete(sequence)
  }

  read(): ReadLog {
    const scan = new LogScan<number>()
    for (const [sequence, batch] of this.batches) scan.add(batch, sequence)
    return scan.log((first, last) => this.#range(first, last))
  }

  async *#range(first: number, last: number): AsyncGenerator<string> {
    for (const [sequence, batch] of [...this.batches]) if (sequence >= first && sequence <= last) yield batch
  }
}

/** A world whose log is in memory. */
function logged(store: MemoryStore) {
  const initialState = smallBeginning()
  const holder: { writer?: LogWriter } = {}
  const onLogged = () => holder.writer?.changed()
  const world = new World('world_1', initialState, 'frozen', { ...defaultHost, onLogged })
  const claim: Claim = { ...store.read(), epoch: 1, sequence: 0, isNew: true, isShared: false, before: 0 }
  const writer = new LogWriter(world, claim, store as unknown as LogStore, options)
  holder.writer = writer
  world.start()
  const digest = async (): Promise<string> => {
    const replay = new Fold(initialState)
    for await (const batch of store.read().batches()) {
      for (const entry of JSON.parse(batch) as WrittenEntry[]) replay.apply(entry)
    }
    const recovered = new World('world_1', initialState, 'frozen', {
      ...defaultHost,
      onLogged: () => undefined,
    })
    recovered.recover(replay)
    return digestOf(recovered)
  }
  return { world, writer, digest }
}

/** Receives a mail with a text of that length. */
function receive(world: World, length: number): void {
  world.apply(annsMail({ text: 'x'.repeat(length) }))
}

it('confirms nothing once its world is abandoned, even without pending changes', async () => {
  const { writer } = logged(new MemoryStore())
  expect(writer.settled()).toBeUndefined()
  writer.abandon()
  await expect(writer.settled()).rejects.toMatchObject({ code: 'moved', retryAfter: 1 })
})

it('writes what is left when it is finished, also what comes meanwhile, and nothing after that', async () => {
  const store = new MemoryStore()
  const { world, writer, digest } = logged(store)
  for (let mail = 0; mail < 8; mail++) receive(world, 700_000)
  await writer.settled()
  let further = 3
  store.onAppend = async () => {
    if (further-- > 0) receive(world, 10)
    await new Promise((resolve) => setImmediate(resolve))
  }
  receive(world, 10)
  await writer.finish()
  const [last, written] = [digestOf(world), store.batches.size]
  receive(world, 10)
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect([store.batches.size, await digest()]).toEqual([written, last])
})

it('writes a restored world as a whole, and a long log anew', async () => {
  const store = new MemoryStore()
  const { world, writer, digest } = logged(store)
  for (let mail = 0; mail < 8; mail++) receive(world, 10_000)
  await writer.settled()
  const snapshot = world.snapshot()
  world.reset()
  receive(world, 10)
  await writer.settled()
  world.restore(snapshot)
  await writer.settled()
  expect(store.batches.size).toBe(1)
  for (let turn = 0; turn < 100; turn++) {
    world.apply({
      type: 'update-identity',
      identity_id: 'ident_support',
      description: `${turn}`.repeat(2000),
    })
    await writer.settled()
  }
  expect(store.batches.size).toBeLessThan(90)
  expect(await digest()).toBe(digestOf(world))
})
