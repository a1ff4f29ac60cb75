import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClassicLevel } from 'classic-level'
import { createFolder } from '../../base/create-folder.js'
import { isError } from '../../base/platform.js'
import { StateError } from '../../service/model/errors.js'
import { startPause, wallTime } from '../../service/time/wall-time.js'
import type { WorldRecord } from '../../service/world/worlds.js'
import { explainCreating, explainOpening, explainUsing, loadLevel, restore } from './level.js'
import { LogScan } from './log-scan.js'
import {
  type Batch,
  type Claim,
  checksum,
  type LogStore,
  numberBefore,
  numberOf,
  type ReadLog,
} from './log-store.js'
import type { StateStart } from './state-start.js'

/** When a batch counts as durable: once synced to the disk, or once written, with a sync every second. */
export type SyncMode = 'always' | 'second'

type Operation = { readonly type: 'put'; readonly key: string; readonly value: string } | Removal
type Removal = { readonly type: 'del'; readonly key: string }

const keys = {
  start: '!start',
  count: '!count',
  commit: '!commit',
  record: (apiKey: string) => `record!${apiKey}`,
  log: (id: string) => `log!${id}!`,
  batch: (id: string, sequence: number) => `log!${id}!${String(sequence).padStart(15, '0')}`,
}

const levelOptions = {
  /** The smallest number that LevelDB accepts: every open table is mapped into memory, where it counts once it was read. */
  maxOpenFiles: 74,
  /** So that a few changes with files do not make writers wait for LevelDB's compaction. */
  writeBufferSize: 16 * 1024 * 1024,
}

/** How many deleted bytes are worth a compaction of their own. */
const minCompacted = 32 * 1024 * 1024

/** Operations that wait for the next commit. */
interface PendingWrite {
  readonly operations: readonly Operation[]
  readonly sync: boolean
  done(): void
  failed(error: Error): void
}

/** Sorts after every continuation of a key. */
const last = '\u{10ffff}'

/** Stores logs in a LevelDB database in a directory, for one process at a time. */
export class DiskStore implements LogStore {
  readonly name: string
  readonly lease = Number.POSITIVE_INFINITY
  readonly #directory: string
  readonly #sync: SyncMode
  readonly #warn: (message: string) => void
  #level: ClassicLevel<string, string> | undefined
  #isBroken = false
  #pending: PendingWrite[] = []
  #committing = false
  #commit = 0
  #closed = false
  #lastCommit: Awaited<ReturnType<typeof open>> | undefined

  /** `warn` is called with whatever cannot be read. */
  constructor(directory: string, sync: SyncMode, warn: (message: string) => void) {
    this.name = directory
    this.#directory = directory
    this.#sync = sync
    this.#warn = warn
  }

  async open(start: StateStart): Promise<StateStart> {
    const stored = await this.start()
    if (!stored) await this.continueWith(start)
    if (this.#sync === 'second') void this.#syncEverySecond()
    return stored ?? start
  }

  continueWith(start: StateStart): Promise<void> {
    return this.#write([put(keys.start, JSON.stringify(start))])
  }

  async start(): Promise<StateStart | undefined> {
    // Opening creates the database, which `state list` must not do.
    if (!this.#level && !existsSync(join(this.#directory, 'worlds'))) return undefined
    const level = await this.#opened()
    const text = await this.#get(level, keys.start)
    return text === undefined ? undefined : (JSON.parse(text) as StateStart)
  }

  async claim(id: string): Promise<Claim> {
    const before = numberBefore(wallTime())
    return { ...(await this.#batches(id)), epoch: 1, isNew: false, isShared: false, before }
  }

  async isOwner(): Promise<boolean> {
    return true
  }

  append({ id, sequence, entries }: Batch): Promise<void> {
    return this.#write([put(keys.batch(id, sequence), entries)])
  }

  async cut(id: string, _epoch: number, sequence: number): Promise<void> {
    await this.#clear(keys.log(id), keys.batch(id, sequence))
  }

  async release(): Promise<void> {}

  async nextNumber(): Promise<number> {
    // Set before anything is awaited, so that concurrent calls follow each other.
    this.#count = (this.#count ?? this.#storedCount()).then((count) => count + 1)
    const number = await this.#count.catch((error: unknown) => {
      this.#count = undefined
      throw error
    })
    await this.#write([put(keys.count, String(number))])
    return number
  }
  /** The latest number of a world, once it is known. */
  #count: Promise<number> | undefined

  async #storedCount(): Promise<number> {
    const level = await this.#opened()
    return Number((await this.#get(level, keys.count)) ?? 1)
  }

  register(record: WorldRecord): Promise<void> {
    return this.#write([put(keys.record(record.api_key), JSON.stringify(record))])
  }

  async find(apiKey: string): Promise<WorldRecord | undefined> {
    const text = await this.#get(await this.#opened(), keys.record(apiKey))
    if (text !== undefined) return JSON.parse(text) as WorldRecord
    // The record may be stored under a damaged key.
    if (!this.#recordsChecked) await this.list()
    this.#recordsChecked = true
    return undefined
  }

  #recordsChecked = false

  async list(): Promise<WorldRecord[]> {
    const level = await this.#opened()
    const records: WorldRecord[] = []
    await this.#reading('the records of worlds', async () => {
      for await (const [key, value] of level.iterator({ gte: keys.record(''), lt: keys.record(last) })) {
        records.push(JSON.parse(this.#checked(key, value)) as WorldRecord)
      }
    })
    return records.sort((one, other) => numberOf(one) - numberOf(other))
  }

  async read(id: string): Promise<ReadLog> {
    return this.#batches(id)
  }

  async logged(): Promise<string[]> {
    const level = await this.#opened()
    const ids = new Set<string>()
    await this.#reading('the logs', async () => {
      for await (const key of level.keys({ gte: 'log!', lt: `log!${last}` })) ids.add(key.split('!')[1] ?? '')
    })
    return [...ids]
  }

  async remove(id: string, apiKey: string): Promise<void> {
    await this.#write([{ type: 'del', key: keys.record(apiKey) }])
    await this.#clear(keys.log(id), keys.log(id) + last)
  }

  /** Deletes the keys from one to before another. */
  async #clear(first: string, end: string): Promise<void> {
    const level = await this.#opened()
    const bytes = await level.approximateSize(first, end)
    await level.clear({ gte: first, lt: end })
    // LevelDB would keep their tables on disk, and mapped into memory, until much else was written.
    if (bytes >= minCompacted) void level.compactRange(first, end).catch(() => undefined)
  }

  async reset(): Promise<void> {
    const level = await this.#opened().catch((error: StateError) => {
      if (error.code !== 'damaged') throw error
    })
    await level?.close()
    this.#level = undefined
    await this.#lastCommit?.close()
    this.#lastCommit = undefined
    await rm(join(this.#directory, 'last-commit'), { force: true })
    await rm(join(this.#directory, 'worlds'), { recursive: true, force: true })
    this.#commit = 0
    this.#count = undefined
  }

  async check(): Promise<void> {
    await this.#opened()
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#sync === 'second' && this.#level) await this.#write([], true).catch(() => undefined)
    await this.#lastCommit?.close()
    if (!this.#level) return
    await rm(join(this.#directory, 'owner.json'), { force: true })
    await this.#level.close()
    this.#level = undefined
  }

  /** Returns the database; reopens it after a failed write, since bytes after a torn write could not be read again. */
  async #opened(): Promise<ClassicLevel<string, string>> {
    if (this.#level && !this.#isBroken) return this.#level
    this.#opening ??= this.#openLevel().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }
  #opening: Promise<ClassicLevel<string, string>> | undefined

  async #openLevel(): Promise<ClassicLevel<string, string>> {
    await this.#level?.close().catch(() => undefined)
    this.#level = undefined
    const Level = await loadLevel()
    try {
      // Mail and secrets are for this user only, also where the folder around them is not.
      await createFolder(this.#directory, 0o700)
    } catch (error) {
      throw explainCreating(error, this.name)
    }
    const folder = join(this.#directory, 'worlds')
    // LevelDB would create it for everybody, and take one that it may not create for damaged.
    await mkdir(folder, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw explainUsing(error, this.name)
      await chmod(folder, 0o700).catch(() => undefined)
    })
    const level = new Level<string, string>(folder)
    try {
      await level.open(levelOptions)
      this.#level = level
      await this.#checkCommits(level)
    } catch (error) {
      throw await explainOpening(error, this.name, this.#directory)
    }
    this.#isBroken = false
    await writeFile(join(this.#directory, 'owner.json'), `${JSON.stringify({ pid: process.pid })}\n`, {
      mode: 0o600,
    }).catch(() => undefined)
    return level
  }

  /** Warns of what LevelDB left out when it opened, and of commits that are missing at the end. */
  async #checkCommits(level: ClassicLevel<string, string>): Promise<void> {
    const log = await readFile(join(this.#directory, 'worlds', 'LOG'), 'utf8').catch(() => '')
    for (const line of log.split('\n').filter((text) => /dropping \d+ bytes|Ignoring error/.test(text))) {
      const what = line.replace(/^\S+ \S+ /, '')
      this.#warn(`${this.name}: something cannot be read and is skipped: ${what}`)
    }
    const commit = Number((await this.#get(level, keys.commit)) ?? 0)
    this.#lastCommit ??= await open(join(this.#directory, 'last-commit'), 'a+', 0o600)
    const expected = Number(await readFile(join(this.#directory, 'last-commit'), 'utf8')) || 0
    if (commit < expected) {
      this.#warn(
        `${this.name} ends with commit ${commit}, but ${expected} were written: the last ${expected - commit} are missing, as if a file had been cut off.`,
      )
    }
    this.#commit = Math.max(commit, expected)
    await this.#lastCommit.close()
    this.#lastCommit = await open(join(this.#directory, 'last-commit'), 'r+')
  }

  async #get(level: ClassicLevel<string, string>, key: string): Promise<string | undefined> {
    const value: string | undefined = await this.#reading(`the value at "${key}"`, () => level.get(key))
    return value === undefined ? undefined : this.#checked(key, value)
  }

  /** Reads from LevelDB; adds the store and the place to its errors. @throws StateError `damaged` */
  async #reading<T>(what: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      if (error instanceof StateError) throw error
      throw new StateError('damaged', `${this.name}: ${what} cannot be read: ${reasonOf(error)}. ${restore}`)
    }
  }

  /** Returns a value without its checksum. @throws StateError `damaged` */
  #checked(key: string, value: string): string {
    const text = value.slice(9)
    if (value.slice(0, 8) === checksum(key, text)) return text
    const problem = `${this.name}: the value at "${key}" is damaged: its checksum does not match its key and text.`
    // A damaged world can be deleted by itself.
    const isOfAll = key === keys.start || key === keys.count || key === keys.commit
    throw new StateError('damaged', isOfAll ? `${problem} ${restore}` : problem)
  }

  /** Finds out which batches of a world count, and the number of the last one. */
  async #batches(id: string): Promise<ReadLog & { readonly sequence: number }> {
    const level = await this.#opened()
    const scan = new LogScan<number>()
    let sequence = 0
    const entries = level.iterator({ gte: keys.log(id), lt: keys.log(id) + last })
    for (;;) {
      const entry = await entries.next().catch(reasonOf)
      if (typeof entry === 'string') scan.damaged(entry)
      if (entry === undefined || typeof entry === 'string') break
      const [key, value] = entry
      const number = Number(key.slice(keys.log(id).length))
      const text = value.slice(9)
      const isWhole = value.slice(0, 8) === checksum(key, text)
      if (number !== sequence + 1) scan.damaged(`batches ${sequence + 1} to ${number - 1} are missing`)
      if (isWhole) scan.add(text, number)
      else scan.damaged(`batch ${number} is damaged`)
      sequence = number
    }
    await entries.close()
    const log = scan.log((first, end) => this.#range(id, first, end))
    return { ...log, sequence }
  }

  async *#range(id: string, first: number, end: number): AsyncGenerator<string> {
    const level = await this.#opened()
    const entries = level.iterator({ gte: keys.batch(id, first), lte: keys.batch(id, end) })
    try {
      for (;;) {
        const entry = await this.#reading(`the log of "${id}"`, () => entries.next())
        if (!entry) return
        yield this.#checked(...entry)
      }
    } finally {
      await entries.close()
    }
  }

  /** Writes operations in one commit with all pending ones; resolves when they are durable. */
  #write(operations: readonly Operation[], sync = this.#sync === 'always'): Promise<void> {
    return new Promise((done, failed) => {
      this.#pending.push({ operations, sync, done, failed })
      if (!this.#committing) void this.#commitAll()
    })
  }

  async #commitAll(): Promise<void> {
    this.#committing = true
    while (this.#pending.length > 0) {
      const group = this.#pending
      this.#pending = []
      try {
        const level = await this.#opened()
        const commit = this.#commit + 1
        const operations = [...group.flatMap((each) => each.operations), put(keys.commit, String(commit))]
        await level.batch(operations, { sync: group.some(({ sync }) => sync) })
        this.#commit = commit
        // Not synced: it detects truncated files, not a loss of power.
        await this.#lastCommit?.write(String(commit).padStart(15), 0)
        for (const each of group) each.done()
      } catch (error) {
        this.#isBroken = true
        const failure = this.#failure(error)
        for (const each of group) each.failed(failure)
      }
    }
    this.#committing = false
  }

  #failure(error: unknown): StateError {
    if (error instanceof StateError) return error
    return new StateError(
      'unavailable',
      `${this.name} cannot be written: ${reasonOf(error)}. Nothing of it was changed.`,
      5,
    )
  }

  async #syncEverySecond(): Promise<void> {
    for (let synced = this.#commit; !this.#closed; ) {
      await startPause(1000).over
      if (synced === this.#commit || this.#closed) continue
      await this.#write([], true).catch(() => undefined)
      synced = this.#commit
    }
  }
}

/** Returns the reason that LevelDB gives. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return isError(cause) ? cause.message : message
}

function put(key: string, value: string): Operation {
  return { type: 'put', key, value: `${checksum(key, value)} ${value}` }
}
