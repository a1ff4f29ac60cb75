import type { createClient } from 'redis'
import { parseJson } from '../../base/json.js'
import { StateError } from '../../service/model/errors.js'
import { startPause, uniqueMark } from '../../service/time/wall-time.js'
import type { WorldRecord } from '../../service/world/worlds.js'
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

type Client = ReturnType<typeof createClient>

/** A user and a password that override those of the URL. */
export interface RedisCredentials {
  readonly username?: string | undefined
  readonly password?: string | undefined
}

const prefix = 'agent-mailbox-sim:'
const keys = {
  start: `${prefix}start`,
  count: `${prefix}count`,
  worlds: `${prefix}worlds`,
  // In braces, so that a cluster keeps everything of one world on one node.
  log: (id: string) => `${prefix}{${id}}:log`,
}

/** Milliseconds for which an owner serves reads before it confirms its ownership. */
const lease = 500

/** Milliseconds until a command times out; whether it was executed is then unknown. */
const commandTimeout = 3000

/** The characters of entries that one response should hold at most. */
const maxPage = 8_388_608

/** Fields of an entry of a stream. */
const fields = { batch: 'b', checksum: 'c', owner: 'o', released: 'r' }

/** The remedies for errors of the server; any other error may be temporary. */
const remedies: readonly (readonly [form: RegExp, remedy: string])[] = [
  [/^(WRONGPASS|NOAUTH|NOPERM)/, 'the URL or MAILBOX_SIM_STATE_PASSWORD needs another password'],
  [/^ERR AUTH/, 'leave out the password, since the server has none'],
  [/^ERR DB index/, 'the URL needs the number of another database'],
  [/^WRONGTYPE/, 'something else uses its keys; name another database, or start over with --state-reset'],
]

/** An entry of a stream, as Redis returns it. */
type StreamEntry = readonly [id: string, content: readonly string[]]

/**
 * Stores logs in Valkey or Redis: a stream for each world, with the ids `epoch-sequence`. A stream refuses ids that are not
 * greater than its last one, so a replaced owner can no longer write.
 */
export class RedisStore implements LogStore {
  readonly name: string
  readonly lease = lease
  readonly #url: string
  readonly #credentials: RedisCredentials
  readonly #warn: (message: string) => void
  readonly #node = uniqueMark()
  /** Set before anything is awaited, so that concurrent commands share one connection. */
  #client: Promise<Client> | undefined
  #wasConnected = false
  /** What the state belongs to, to be written again if the store is emptied. */
  #start: StateStart | undefined

  /** `url` is the one of `--state`; `warn` is called if the server's settings make the state less durable. */
  constructor(url: string, credentials: RedisCredentials, warn: (message: string) => void) {
    this.name = shownUrl(url)
    this.#url = url
    this.#credentials = credentials
    this.#warn = warn
  }

  async open(start: StateStart): Promise<StateStart> {
    this.#start = start
    await this.#send(['SET', keys.start, JSON.stringify(start), 'NX'])
    await this.#beginNumbers()
    await this.#warnOfWeakDurability()
    return (await this.start()) ?? start
  }

  async continueWith(start: StateStart): Promise<void> {
    this.#start = start
    await this.#send(['SET', keys.start, JSON.stringify(start)])
  }

  async start(): Promise<StateStart | undefined> {
    const text = (await this.#send(['GET', keys.start])) as string | null
    return text === null ? undefined : this.#parsed<StateStart>(text, keys.start)
  }

  async claim(
    id: string,
    ownEpoch: number | undefined,
    isAwaited: () => boolean,
  ): Promise<Claim | undefined> {
    const key = keys.log(id)
    for (;;) {
      const [top] = (await this.#send(['XREVRANGE', key, '+', '-', 'COUNT', '1'])) as StreamEntry[]
      const now = await this.#time()
      const isOthers = top !== undefined && epochOf(top[0]) !== ownEpoch && top[1][0] !== fields.released
      // Last, since it may take a moment to notice that a client has ended its side of the connection.
      if (isOthers && !isAwaited()) return undefined
      // The first epoch is above those of a deleted log of that name, whose last owner may not know of the deletion yet.
      const epoch = top ? epochOf(top[0]) + 1 : now
      if (!(await this.#add(key, `${epoch}-0`, [fields.owner, this.#node]))) continue
      const isShared = top !== undefined && top[1][0] !== fields.released
      const log = await this.#scanned(key)
      return { ...log, epoch, sequence: 0, isNew: top === undefined, isShared, before: numberBefore(now) }
    }
  }

  async isOwner(id: string, epoch: number): Promise<boolean> {
    const key = keys.log(id)
    const [exists, later] = await Promise.all([
      this.#send(['EXISTS', key]),
      this.#send(['XRANGE', key, `${epoch + 1}-0`, '+', 'COUNT', '1']) as Promise<StreamEntry[]>,
    ])
    return exists === 1 && later.length === 0
  }

  async append({ id, epoch, sequence, entries }: Batch): Promise<void> {
    const entryId = `${epoch}-${sequence}`
    const content = [fields.batch, entries, fields.checksum, checksum(entryId, entries)]
    const isAdded = await this.#add(keys.log(id), entryId, content, 'NOMKSTREAM')
    if (!isAdded)
      throw new StateError(
        'moved',
        `The world "${id}" has been claimed by another server, or its log was deleted. Try again.`,
        1,
      )
  }

  async cut(id: string, epoch: number, sequence: number): Promise<void> {
    await this.#send(['XTRIM', keys.log(id), 'MINID', `${epoch}-${sequence}`])
  }

  async release(owned: Parameters<LogStore['release']>[0]): Promise<void> {
    await Promise.all(
      owned.map(({ id, epoch, sequence }) =>
        this.#add(keys.log(id), `${epoch}-${sequence + 1}`, [fields.released, this.#node], 'NOMKSTREAM'),
      ),
    )
  }

  async nextNumber(): Promise<number> {
    if (await this.#beginNumbers()) {
      if (this.#start) await this.#send(['SET', keys.start, JSON.stringify(this.#start), 'NX'])
      this.#warn(`${this.name} was emptied while this server was running: its worlds are lost.`)
    }
    return (await this.#send(['INCR', keys.count])) as number
  }

  /**
   * Begins to number worlds if the store is empty, from the time at which that was noticed: a number of an emptied store
   * never comes back, and with it the id and the key of a world. Returns whether it was empty.
   */
  async #beginNumbers(): Promise<boolean> {
    return (await this.#send(['SET', keys.count, String(await this.#time()), 'NX'])) !== null
  }

  async register(record: WorldRecord): Promise<void> {
    await this.#send(['HSET', keys.worlds, record.api_key, JSON.stringify(record)])
  }

  async find(apiKey: string): Promise<WorldRecord | undefined> {
    const text = (await this.#send(['HGET', keys.worlds, apiKey])) as string | null
    return text === null ? undefined : this.#parsed<WorldRecord>(text, keys.worlds)
  }

  async list(): Promise<WorldRecord[]> {
    const texts = (await this.#send(['HVALS', keys.worlds])) as string[]
    const records = texts.map((text) => this.#parsed<WorldRecord>(text, keys.worlds))
    return records.sort((one, other) => numberOf(one) - numberOf(other))
  }

  async read(id: string): Promise<ReadLog> {
    return this.#scanned(keys.log(id))
  }

  /** Finds out which batches of a log count. */
  async #scanned(key: string): Promise<ReadLog> {
    const scan = new LogScan<string>()
    let before: string | undefined
    for await (const [id, [field, text = '', , sum]] of this.#range(key, '-', '+')) {
      const isBatch = field === fields.batch
      const isWhole = !isBatch || sum === checksum(id, text)
      if (!isWhole) scan.damaged(`its entry ${id} is damaged: its checksum does not match its id and text`)
      // Each epoch numbers its entries from 0.
      else if (before !== undefined && !id.endsWith('-0') && id !== nextId(before)) {
        scan.damaged(`entries between ${before} and ${id} are missing`)
      }
      if (isBatch && isWhole) scan.add(text, id)
      before = id
    }
    return scan.log((first, end) => this.#texts(key, first, end))
  }

  /** Reads batches again, which an earlier assumption has found undamaged. */
  async *#texts(key: string, first: string, end: string): AsyncGenerator<string> {
    for await (const [id, [field, text = '', , sum]] of this.#range(key, first, end)) {
      if (field !== fields.batch) continue
      if (sum === checksum(id, text)) yield text
      else throw new StateError('damaged', `${this.name}: entry ${id} of "${key}" is damaged.`)
    }
  }

  /** Reads entries a few at a time, so that no response is larger than necessary. */
  async *#range(key: string, first: string, end: string): AsyncGenerator<StreamEntry> {
    let [from, count] = [first, 16]
    for (;;) {
      const command = ['XRANGE', key, from, end, 'COUNT', String(count)]
      const entries = (await this.#send(command)) as StreamEntry[]
      yield* entries
      const last = entries.at(-1)
      if (!last || entries.length < count) return
      from = `(${last[0]}`
      const length = entries.reduce((sum, [, [, text = '']]) => sum + text.length, 0)
      count =
        length < maxPage / 4 ? Math.min(count * 2, 1000) : length > maxPage ? Math.ceil(count / 2) : count
    }
  }

  async logged(): Promise<string[]> {
    const found = await this.#logKeys()
    return found.map((key) => /\{(.+)\}/.exec(key)?.[1] ?? key)
  }

  async remove(id: string, apiKey: string): Promise<void> {
    await this.#send(['HDEL', keys.worlds, apiKey])
    await this.#send(['DEL', keys.log(id)])
  }

  async reset(): Promise<void> {
    for (const key of [...(await this.#logKeys()), keys.worlds, keys.count, keys.start]) {
      await this.#send(['UNLINK', key])
    }
  }

  async check(): Promise<void> {
    // A full or read-only server refuses it like any write; it changes nothing, so nothing is synced.
    await this.#send(['SETRANGE', `${prefix}check`, '0', ''])
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    this.#client = undefined
    if (client?.isReady) await Promise.race([client.close(), startPause(1000).over])
    client?.destroy()
  }

  /** @throws StateError `damaged` */
  #parsed<T>(text: string, key: string): T {
    const value = parseJson(text)
    if (value !== undefined) return value as T
    throw new StateError('damaged', `${this.name}: the value at "${key}" is damaged: it is not JSON.`)
  }

  async #logKeys(): Promise<string[]> {
    const found = new Set<string>()
    let cursor = '0'
    do {
      const page = await this.#send(['SCAN', cursor, 'MATCH', `${prefix}{*}:log`, 'COUNT', '1000'])
      const [next, names] = page as [string, string[]]
      for (const name of names) found.add(name)
      cursor = next
    } while (cursor !== '0')
    return [...found]
  }

  /** Returns the time of the server, the same for all owners, in milliseconds since the epoch. */
  async #time(): Promise<number> {
    const [seconds, microseconds] = ((await this.#send(['TIME'])) as string[]).map(Number) as [number, number]
    return seconds * 1000 + Math.floor(microseconds / 1000)
  }

  /** Appends to a stream; returns false if the id is too small, or with `NOMKSTREAM` if there is no stream. */
  async #add(key: string, id: string, content: readonly string[], ...options: string[]): Promise<boolean> {
    try {
      return (await this.#send(['XADD', key, ...options, id, ...content])) !== null
    } catch (error) {
      if (/equal or smaller/.test((error as Error).message)) return false
      throw error
    }
  }

  /** Sends a command. @throws StateError `unavailable`; the command may have been executed nevertheless */
  async #send(command: readonly string[]): Promise<unknown> {
    let pause: ReturnType<typeof startPause> | undefined
    try {
      const client = await this.#connected()
      // Starts here, since loading the package may take long on a busy machine.
      pause = startPause(commandTimeout)
      const late = pause.over.then(() =>
        Promise.reject(new Error(`no response for ${commandTimeout / 1000} s`)),
      )
      return await Promise.race([client.sendCommand([...command]), late])
    } catch (error) {
      if (error instanceof StateError) throw error
      const { message } = error as Error
      const reason = message === '' ? (error as Error).name : message
      const [, remedy] = remedies.find(([form]) => form.test(reason)) ?? ['', 'try again']
      throw new StateError(
        'unavailable',
        `${this.name} cannot be reached or refuses changes: ${reason}; ${remedy}.`,
        1,
      )
    } finally {
      pause?.end()
    }
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  async #connect(): Promise<Client> {
    const { createClient } = await loadRedis()
    const { username, password } = this.#credentials
    const client = createClient({
      url: this.#url,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      RESP: 2,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: commandTimeout,
        // The address of a server that never responded is most likely misspelt.
        reconnectStrategy: (retries, cause) =>
          this.#wasConnected ? Math.min(50 * 2 ** retries, 1000) : cause,
      },
    }) as unknown as Client
    // `#send` reports the error to whoever sends a command.
    client.on('error', () => undefined)
    await client.connect()
    this.#wasConnected = true
    return client
  }

  async #warnOfWeakDurability(): Promise<void> {
    const settings = ['appendonly', 'appendfsync'].map((name) => this.#send(['CONFIG', 'GET', name]))
    // Some hosted services refuse CONFIG.
    const answers = await Promise.all(settings).catch(() => undefined)
    if (!answers) return
    const [appendOnly, fsync] = answers.map((answer) => (answer as string[])[1])
    if (appendOnly === 'yes' && fsync === 'always') return
    const remedy = 'It keeps every acknowledged change only with "appendonly yes" and "appendfsync always".'
    this.#warn(`${this.name} has appendonly ${appendOnly} and appendfsync ${fsync}. ${remedy}`)
  }
}

function nextId(id: string): string {
  const [epoch, sequence] = id.split('-')
  return `${epoch}-${Number(sequence) + 1}`
}

function epochOf(id: string): number {
  return Number(id.split('-', 1)[0])
}

/** Returns a URL without its password. */
function shownUrl(text: string): string {
  const url = new URL(text)
  if (url.password !== '') url.password = '***'
  url.search = ''
  return url.href
}

async function loadRedis(): Promise<typeof import('redis')> {
  try {
    return await import('redis')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StateError('missing', '--state redis:// needs the package redis: npm install redis')
  }
}
