import { expect, it } from 'vitest'
import { annsMail, smallBeginning } from '../../../test/support/world/small-world.js'
import type { LoggedChange } from '../../service/record/log.js'
import { digestOf } from '../../service/world/digest.js'
import { LogReplay } from '../../service/world/log-replay.js'
import { World } from '../../service/world/world.js'
import { defaultHost, type WorldHost } from '../../service/world/world-host.js'
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
  const prepare: WorldHost['prepare'] = async (entries) => holder.writer?.prepare(entries)
  const world = new World('world_1', initialState, 'frozen', { ...defaultHost, onLogged, prepare })
  const claim: Claim = { ...store.read(), epoch: 1, sequence: 0, isNew: true, isShared: false, before: 0 }
  const writer = new LogWriter(world, claim, store as unknown as LogStore, options)
  holder.writer = writer
  world.start()
  const digest = async (): Promise<string> => {
    const replay = new LogReplay(initialState)
    for await (const batch of store.read().batches()) {
      for (const entry of JSON.parse(batch) as LoggedChange[]) replay.apply(entry)
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

it('writes a large world in pieces, and confirms changes without waiting for their end', async () => {
  const store = new MemoryStore()
  const { world, writer, digest } = logged(store)
  for (let mail = 0; mail < 8; mail++) {
    receive(world, 700_000)
    await Promise.resolve()
  }
  await writer.settled()
  const has = (mark: string) => [...store.batches.values()].some((batch) => batch.startsWith(mark))
  const whenConfirmed: boolean[][] = []
  for (let mail = 0; mail < 3; mail++) {
    receive(world, 10)
    await writer.settled()
    whenConfirmed.push([has('<'), has('>')])
    expect(await digest()).toBe(digestOf(world))
  }
  expect(whenConfirmed).toContainEqual([true, false])
  await until(() => has('>'))
  expect(await digest()).toBe(digestOf(world))
  expect(Math.max(...store.longest)).toBeLessThan(2_500_000)
  // The batches before the pieces are gone.
  expect(store.batches.has(1)).toBe(false)
})

it('goes on from the last whole world if the writing of the next one was interrupted', async () => {
  const store = new MemoryStore()
  const { world, writer, digest } = logged(store)
  for (let mail = 0; mail < 8; mail++) receive(world, 700_000)
  await writer.settled()
  receive(world, 10)
  await writer.settled()
  const before = digestOf(world)
  await writer.abandon()
  expect([...store.batches.values()].some((batch) => batch.startsWith('>'))).toBe(false)
  expect(await digest()).toBe(before)
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

it('writes a restored world as a whole before it confirms anything', async () => {
  const store = new MemoryStore()
  const { world, writer, digest } = logged(store)
  for (let mail = 0; mail < 4; mail++) receive(world, 700_000)
  await writer.settled()
  const snapshot = world.snapshot()
  world.reset()
  await writer.settled()
  const started = digestOf(world)
  store.onAppend = async () => {
    expect(await digest()).toBe(started)
  }
  world.restore(snapshot)
  await writer.settled()
  store.onAppend = () => undefined
  expect(await digest()).toBe(digestOf(world))
  receive(world, 10)
  await writer.settled()
  expect(await digest()).toBe(digestOf(world))
})

it('confirms changes of the present world while the one that replaces it is being written', async () => {
  const store = new MemoryStore()
  const { world, writer, digest } = logged(store)
  for (let mail = 0; mail < 8; mail++) receive(world, 700_000)
  await writer.settled()
  const [snapshot, restored] = [world.snapshot(), digestOf(world)]
  world.reset()
  await writer.settled()
  const begun = store.batches.size
  store.onAppend = () => new Promise((resolve) => setImmediate(resolve))
  const restoring = world.restoreSlowly(snapshot)
  await until(() => store.batches.size > begun)
  let confirmed = 0
  while (digestOf(world) !== restored) {
    receive(world, 10)
    const changed = digestOf(world)
    await writer.settled()
    if (digestOf(world) !== changed) break
    confirmed++
    // A server that is killed now has the world as it was confirmed.
    expect(await digest()).toBe(changed)
  }
  await restoring
  await writer.settled()
  expect(confirmed).toBeGreaterThan(1)
  expect([digestOf(world), await digest()]).toEqual([restored, restored])
  receive(world, 10)
  await writer.settled()
  expect(await digest()).toBe(digestOf(world))
})

it('goes on with a world that replaces the present one if that one would be shortened at the same time', async () => {
  const store = new MemoryStore()
  const { world, writer } = logged(store)
  for (let mail = 0; mail < 8; mail++) receive(world, 700_000)
  await writer.settled()
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  store.onAppend = () => gate
  receive(world, 10)
  await new Promise((resolve) => setImmediate(resolve))
  const preparing = writer.prepare(world.wholeEntries())
  open()
  expect(await preparing).toBeDefined()
})

it.each([
  ['is reset', (world: World) => world.reset()],
  ['is restored once more', (world: World) => world.restore(world.snapshot())],
])('restores a world that %s meanwhile', async (_, change) => {
  const store = new MemoryStore()
  const { world, writer, digest } = logged(store)
  for (let mail = 0; mail < 8; mail++) receive(world, 700_000)
  await writer.settled()
  const [snapshot, restored] = [world.snapshot(), digestOf(world)]
  receive(world, 10)
  const begun = store.batches.size
  store.onAppend = () => new Promise((resolve) => setImmediate(resolve))
  const restoring = world.restoreSlowly(snapshot)
  await until(() => store.batches.size > begun + 3)
  change(world)
  await restoring
  await writer.settled()
  expect([digestOf(world), await digest()]).toEqual([restored, restored])
})

/** Waits until the writing that nobody waits for has got there. */
async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !condition(); turn++)
    await new Promise((resolve) => setImmediate(resolve))
  expect(condition()).toBe(true)
}
