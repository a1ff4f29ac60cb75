import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '../../base/create-folder.js'
import { parseJson } from '../../base/json.js'
import { StateError } from '../../service/model/errors.js'
import { wallTime } from '../../service/time/wall-time.js'
import type { WorldRecord } from '../../service/world/worlds.js'
import { FolderLock } from './folder-lock.js'
import { appendLine, openLines, readIfAny, replaceByLine } from './line-file.js'
import { type Claim, type LogStore, type NewLine, numberBefore, type StoredLine } from './log-store.js'
import type { StateStart } from './state-start.js'

/** What `worlds.json` has. */
interface Registry {
  readonly start: StateStart
  /** How many worlds beside the first there have been. */
  readonly count: number
  /** Those that there are, the oldest first. */
  readonly worlds: readonly WorldRecord[]
}

/** The names of the files of a state. */
const fileOfState = /^(worlds\.json|world_\d+\.jsonl)(\.new)?$/

/** Stores logs in a folder, for one process at a time: `world_2.jsonl` is the log of a world, `worlds.json` names all worlds. */
export class FolderStore implements LogStore {
  readonly name: string
  readonly isShared = false
  readonly #lock: FolderLock
  /** As it is in its file. */
  #registry: Registry | undefined
  /** The latest change of the registry: they follow each other. */
  #registering: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.name = folder
    this.#lock = new FolderLock(folder)
  }

  async start(): Promise<StateStart | undefined> {
    const path = this.#pathOf('worlds.json')
    const text = await this.#using(() => readIfAny(path))
    this.#registry = text === undefined ? undefined : (parseJson(text) as Registry)
    if (text === undefined || this.#registry) return this.#registry?.start
    const remedy = 'Restore it from a copy, or start over with --state-reset.'
    throw new StateError('damaged', `${path} is damaged: it is not JSON. ${remedy}`)
  }

  async open(start: StateStart, reset: boolean): Promise<StateStart> {
    await this.#using(async () => {
      await createFolder(this.name, 0o700)
      await this.#lock.take()
      const old = reset ? await readdir(this.name) : []
      for (const name of old) if (fileOfState.test(name)) await rm(this.#pathOf(name))
    })
    const stored = await this.start()
    if (!stored) await this.#register(() => ({ start, count: 0, worlds: [] }))
    return stored ?? start
  }

  async create(make: (number: number) => WorldRecord): Promise<WorldRecord> {
    const { worlds } = await this.#register(({ count, worlds: before, ...registry }) => {
      return { ...registry, count: count + 1, worlds: [...before, make(count + 2)] }
    })
    return worlds.at(-1) as WorldRecord
  }

  async find(apiKey: string): Promise<WorldRecord | undefined> {
    return this.#registry?.worlds.find(({ api_key }) => api_key === apiKey)
  }

  async list(): Promise<readonly WorldRecord[]> {
    return this.#registry?.worlds ?? []
  }

  async remove(record: WorldRecord, ended: () => Promise<void>): Promise<void> {
    await this.#register(({ worlds, ...registry }) => {
      return { ...registry, worlds: worlds.filter(({ id }) => id !== record.id) }
    })
    await ended()
    await this.#using(() => rm(this.#logOf(record.id), { force: true }))
  }

  async claim(id: string): Promise<Claim> {
    const path = this.#logOf(id)
    await this.#lock.confirm()
    const { lines, isNew } = await this.#using(() => openLines(path))
    async function* stored(): AsyncGenerator<StoredLine> {
      for (const [index, text] of lines.entries()) yield { text, place: `${path}, line ${index + 1}` }
    }
    return { epoch: 1, isNew, before: numberBefore(wallTime()), lines: stored }
  }

  confirm(): Promise<void> {
    return this.#lock.confirm()
  }

  async append({ id, text, isWhole }: NewLine): Promise<void> {
    const write = isWhole ? replaceByLine : appendLine
    await this.#lock.confirm()
    await this.#using(() => write(this.#logOf(id), text))
  }

  async check(): Promise<void> {
    const path = this.#pathOf('check')
    await this.#lock.confirm()
    await this.#using(() => writeFile(path, '.', { mode: 0o600 }).finally(() => rm(path, { force: true })))
  }

  async close(): Promise<void> {
    await this.#registering
    await this.#lock.release()
  }

  #pathOf(file: string): string {
    return join(this.name, file)
  }

  #logOf(id: string): string {
    return this.#pathOf(`${id}.jsonl`)
  }

  /** Uses the file system. @throws StateError `unavailable` with the reason */
  async #using<Result>(use: () => Promise<Result>): Promise<Result> {
    try {
      return await use()
    } catch (error) {
      if (error instanceof StateError) throw error
      const remedy = 'Let this user write there, make room, or name another folder'
      throw new StateError(
        'unavailable',
        `${this.name} cannot be used: ${(error as Error).message}. ${remedy}.`,
        5,
      )
    }
  }

  /** Changes the registry; returns what it is then. */
  #register(change: (registry: Registry) => Registry): Promise<Registry> {
    const registering = this.#registering.then(async () => {
      const registry = change(this.#registry as Registry)
      await this.#lock.confirm()
      await this.#using(() => replaceByLine(this.#pathOf('worlds.json'), JSON.stringify(registry)))
      this.#registry = registry
      return registry
    })
    this.#registering = registering.catch(() => undefined)
    return registering
  }
}
