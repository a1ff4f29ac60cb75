import { open, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createFolder } from '../../base/create-folder.js'
import { parseJson } from '../../base/json.js'
import { StateError } from '../../service/model/errors.js'
import { wallTime } from '../../service/time/wall-time.js'
import type { WorldRecord } from '../../service/world/worlds.js'
import type { Claim, LogStore, NewLine, StateStart, StoredLine } from './log-store.js'

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
    return { epoch: 1, isNew, at: wallTime(), lines: stored }
  }

  confirm(): Promise<void> {
    return this.#lock.confirm()
  }

  async append({ id, text, isWhole }: NewLine): Promise<void> {
    const path = this.#logOf(id)
    await this.#lock.confirm()
    // When an append fails, a part of it may have been written.
    await this.#using(() => (isWhole ? replaceByLine(path, text) : writeDurably(path, `${text}\n`, 'a')))
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

/** Marks a folder as used by this process. */
class FolderLock {
  readonly #folder: string
  readonly #path: string
  #mark: string | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#path = join(folder, 'lock')
  }

  /** Takes the folder, also from a process that has ended. @throws StateError `in-use`, an error of the file system */
  async take(): Promise<void> {
    const { pid } = process
    const mark = JSON.stringify({ pid, started: await startOf(pid) })
    for (;;) {
      const error = await writeFile(this.#path, mark, { flag: 'wx', mode: 0o600 }).catch(
        (failure: NodeJS.ErrnoException) => failure,
      )
      if (!error) break
      if (error.code !== 'EEXIST') throw error
      const holder = parseJson(await readFile(this.#path, 'utf8')) as { pid: number; started: string } | null
      if (holder && (await startOf(holder.pid)) === holder.started) {
        const problem = `${this.#folder} is in use by process ${holder.pid}`
        throw new StateError('in-use', `${problem}; only one process can use it at a time.`)
      }
      await rm(this.#path, { force: true })
    }
    this.#mark = mark
  }

  /** Resolves if this process still has it: another one, in another container, cannot see that this one runs. @throws StateError `moved` */
  async confirm(): Promise<void> {
    if (await this.#isOurs()) return
    throw new StateError('moved', `${this.#folder} has been taken over by another process.`, 1)
  }

  async #isOurs(): Promise<boolean> {
    return (await readFile(this.#path, 'utf8').catch(() => '')) === this.#mark
  }

  async release(): Promise<void> {
    if (await this.#isOurs()) await rm(this.#path, { force: true })
    this.#mark = undefined
  }
}

/**
 * Returns when a process began, as its system counts, since a restarted container has the same numbers of processes again;
 * '' where only its number is known, and undefined if it has ended.
 */
async function startOf(pid: number): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // After the name, which may contain spaces.
  const [state, ...fields] = status?.slice(status.lastIndexOf(')') + 2).split(' ') ?? []
  if (state !== undefined) return state === 'Z' ? undefined : fields[18]
  try {
    process.kill(pid, 0)
    return ''
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? '' : undefined
  }
}

/** Files are for this user only: they contain mail and secrets. */
const mode = 0o600

/**
 * Returns the lines of a file, which is created if there is none. What follows the last line feed was not written to its end:
 * it is cut off.
 */
async function openLines(
  path: string,
): Promise<{ readonly lines: readonly string[]; readonly isNew: boolean }> {
  const text = await readIfAny(path)
  if (text === undefined) {
    await writeDurably(path, '', 'a')
    return { lines: [], isNew: true }
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole))
  return { lines: whole.split('\n').slice(0, -1), isNew: false }
}

/** Returns the text of a file; undefined if there is none. */
async function readIfAny(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

/** Replaces a file by one that has one line, all or nothing. */
async function replaceByLine(path: string, line: string): Promise<void> {
  const beside = `${path}.new`
  try {
    await writeDurably(beside, `${line}\n`, 'w')
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolderOf(path)
}

async function writeDurably(path: string, text: string, flags: 'a' | 'w'): Promise<void> {
  const file = await open(path, flags, mode)
  try {
    await file.writeFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
  if (text === '') await syncFolderOf(path)
}

/** Makes the names in the folder of a file durable. */
async function syncFolderOf(path: string): Promise<void> {
  // Windows cannot open folders, and does not need this.
  const folder = await open(dirname(path), 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
