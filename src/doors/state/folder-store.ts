import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '../../base/create-folder.js'
import { isJsonObject, parseJson } from '../../base/json.js'
import { StateError } from '../../service/model/errors.js'
import { wallTime } from '../../service/time/wall-time.js'
import type { WorldRecord } from '../../service/world/worlds.js'
import { FolderLock } from './folder-lock.js'
import { appendLine, prepareLines, readLines, replaceByLine } from './line-file.js'
import { type Claim, type LogStore, type NewLine, numberBefore, type StoredLine } from './log-store.js'
import type { StateStart } from './state-start.js'

/** A line of the registry. */
type Registered =
  | { readonly start: StateStart }
  | { readonly world: WorldRecord }
  | { readonly removed: string }

/** The names of the files of a state. */
const fileOfState = /^worlds?(_\d+)?\.jsonl(\.new)?$/

/**
 * Stores logs in a folder, for one process at a time: `world_2.jsonl` has the log of a world, `worlds.jsonl` the start and the
 * records of worlds beside the first.
 */
export class FolderStore implements LogStore {
  readonly name: string
  readonly isShared = false
  readonly #lock: FolderLock
  readonly #registry: string
  readonly #warn: (message: string) => void
  #start: StateStart | undefined
  readonly #records = new Map<string, WorldRecord>()
  /** The lines of the registry: more than it has worlds, so that no number is given twice. */
  #count = 0
  /** The latest change of the registry. */
  #registering: Promise<unknown> = Promise.resolve()

  /** `warn` is called with what cannot be read. */
  constructor(folder: string, warn: (message: string) => void) {
    this.name = folder
    this.#lock = new FolderLock(folder)
    this.#registry = join(folder, 'worlds.jsonl')
    this.#warn = warn
  }

  async start(): Promise<StateStart | undefined> {
    await this.#readRegistry()
    return this.#start
  }

  async open(start: StateStart, reset: boolean): Promise<StateStart> {
    await this.#using(async () => {
      await createFolder(this.name, 0o700)
      await this.#lock.take()
      const old = reset ? await readdir(this.name) : []
      for (const name of old) if (fileOfState.test(name)) await rm(join(this.name, name))
      await prepareLines(this.#registry)
    })
    await this.#readRegistry()
    if (!this.#start) await this.continueWith(start)
    return this.#start ?? start
  }

  async continueWith(start: StateStart): Promise<void> {
    await this.#register(() => ({ start }))
  }

  async create(record: (number: number) => WorldRecord): Promise<WorldRecord> {
    const { world } = await this.#register((number) => ({ world: record(number) }))
    return world
  }

  async find(apiKey: string): Promise<WorldRecord | undefined> {
    return this.#records.get(apiKey)
  }

  async list(): Promise<WorldRecord[]> {
    return [...this.#records.values()]
  }

  async remove({ id, api_key: removed }: Pick<WorldRecord, 'id' | 'api_key'>): Promise<void> {
    await this.#register(() => ({ removed }))
    await this.#using(() => rm(this.#fileOf(id), { force: true }))
  }

  async claim(id: string): Promise<Claim> {
    const path = this.#fileOf(id)
    const isNew = (await this.#using(() => readLines(path))) === undefined
    await this.#using(() => prepareLines(path))
    async function* lines(): AsyncGenerator<StoredLine> {
      const all = (await readLines(path)) ?? []
      for (const [index, text] of all.entries()) yield { text, place: `${path}, line ${index + 1}` }
    }
    return { epoch: 1, isNew, before: numberBefore(wallTime()), lines }
  }

  confirm(): Promise<void> {
    return this.#lock.confirm()
  }

  async append({ id, text, isWhole }: NewLine): Promise<void> {
    const path = this.#fileOf(id)
    await this.#lock.confirm()
    await this.#using(() => (isWhole ? replaceByLine(path, text) : appendLine(path, text)))
  }

  async check(): Promise<void> {
    const path = join(this.name, 'check')
    await this.#lock.confirm()
    await this.#using(() => writeFile(path, '.', { mode: 0o600 }).finally(() => rm(path, { force: true })))
  }

  async close(): Promise<void> {
    await this.#registering.catch(() => undefined)
    await this.#lock.release()
  }

  #fileOf(id: string): string {
    return join(this.name, `${id}.jsonl`)
  }

  /** Uses the file system. @throws StateError `unavailable` with the reason */
  async #using<Result>(use: () => Promise<Result>): Promise<Result> {
    try {
      return await use()
    } catch (error) {
      if (error instanceof StateError) throw error
      const remedy = 'Nothing of it was changed; let this user write there, make room, or name another folder'
      throw new StateError(
        'unavailable',
        `${this.name} cannot be used: ${(error as Error).message}. ${remedy}.`,
        5,
      )
    }
  }

  async #readRegistry(): Promise<void> {
    const path = this.#registry
    const lines = (await this.#using(() => readLines(path))) ?? []
    this.#records.clear()
    this.#start = undefined
    this.#count = lines.length
    for (const [index, text] of lines.entries()) {
      const line = parseJson(text)
      if (isJsonObject(line)) this.#apply(line as unknown as Registered)
      else
        this.#warn(
          `${path}, line ${index + 1}, is damaged: it is not JSON. The world that it named is not served.`,
        )
    }
    if (lines.length === 0 || this.#start) return
    const remedy = 'Restore it from a copy, or start over with --state-reset.'
    throw new StateError('damaged', `${path} is damaged: no line says what the state belongs to. ${remedy}`)
  }

  /** Appends a line, made with its number, to the registry: one after another, so that numbers follow each other. */
  #register<Line extends Registered>(make: (number: number) => Line): Promise<Line> {
    const registering = this.#registering.then(async () => {
      const line = make(this.#count + 1)
      await this.#lock.confirm()
      await this.#using(async () => {
        // A line that could not be written to its end before.
        await prepareLines(this.#registry)
        await appendLine(this.#registry, JSON.stringify(line))
      })
      this.#count++
      this.#apply(line)
      return line
    })
    this.#registering = registering.catch(() => undefined)
    return registering
  }

  #apply(line: Registered): void {
    if ('start' in line) this.#start = line.start
    else if ('removed' in line) this.#records.delete(line.removed)
    else this.#records.set(line.world.api_key, line.world)
  }
}
