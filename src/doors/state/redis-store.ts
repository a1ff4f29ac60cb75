import type { createClient } from 'redis'
import { parseJson } from '../../base/json.js'
import { StateError } from '../../service/model/errors.js'
import { startPause, withinLimit } from '../../service/time/wall-time.js'
import type { WorldRecord } from '../../service/world/worlds.js'
import type { Claim, LogStore, NewLine, StateStart, StoredLine } from './log-store.js'

type Client = ReturnType<typeof createClient>

/** The registry: a hash with the start, how many worlds there have been, and the record of each world by its API key. */
const registry = 'agent-mailbox-sim:worlds'

/** The stream of a world; in braces, so that a cluster knows what decides about its node. */
const logOf = (id: string): string => `agent-mailbox-sim:{${id}}:log`

/** Milliseconds until a command times out; whether it was executed is then unknown. */
const commandTimeout = 3000

/** How many entries of a stream one response has. */
const pageLength = 100

/** An entry of a stream, as Redis returns it: a line, or the mark of a claim. */
type StreamEntry = readonly [id: string, content: readonly [field: 'line' | 'claim', text: string]]

/**
 * Stores logs in Valkey or Redis: a stream for each world, with the ids `epoch-sequence`. A stream refuses ids that are not
 * greater than its last one, so an owner that another one has followed can no longer write.
 */
export class RedisStore implements LogStore {
  readonly name: string
  readonly isShared = true
  readonly #url: string
  readonly #warn: (message: string) => void
  /** Set before anything is awaited, so that concurrent commands share one connection. */
  #client: Promise<Client> | undefined

  /** `warn` is called if the server's settings make the state less durable. */
  constructor(url: URL, warn: (message: string) => void) {
    const shown = new URL(url)
    if (shown.password !== '') shown.password = '***'
    this.name = shown.href
    this.#url = url.href
    this.#warn = warn
  }

  async start(): Promise<StateStart | undefined> {
    return this.#field<StateStart>('start')
  }

  async open(start: StateStart, reset: boolean): Promise<StateStart> {
    // Something else may use the key.
    const count = reset ? Number(await this.#send(['HGET', registry, 'count']).catch(() => 0)) : -1
    for (let number = 0; number <= count; number++) await this.#send(['UNLINK', logOf(`world_${number + 1}`)])
    if (reset) await this.#send(['UNLINK', registry])
    await this.#send(['HSETNX', registry, 'start', JSON.stringify(start)])
    await this.#warnOfWeakDurability()
    return (await this.start()) ?? start
  }

  async create(make: (number: number) => WorldRecord): Promise<WorldRecord> {
    const count = (await this.#send(['HINCRBY', registry, 'count', '1'])) as number
    const record = make(count + 1)
    await this.#send(['HSET', registry, record.api_key, JSON.stringify(record)])
    return record
  }

  async find(apiKey: string): Promise<WorldRecord | undefined> {
    return this.#field<WorldRecord>(apiKey)
  }

  async list(): Promise<WorldRecord[]> {
    const texts = (await this.#send(['HVALS', registry])) as string[]
    return texts
      .map((text) => this.#parsed<WorldRecord>(text))
      .filter(({ api_key: apiKey }) => apiKey !== undefined)
      .sort((one, other) => one.id.length - other.id.length || (one.id < other.id ? -1 : 1))
  }

  async remove({ id, api_key: apiKey }: WorldRecord, ended: () => Promise<void>): Promise<void> {
    await this.#send(['HDEL', registry, apiKey])
    await ended()
    await this.#send(['DEL', logOf(id)])
  }

  async claim(id: string, ownEpoch: number | undefined, isAwaited: () => boolean): Promise<Claim> {
    const key = logOf(id)
    for (;;) {
      const [top] = (await this.#send(['XREVRANGE', key, '+', '-', 'COUNT', '1'])) as StreamEntry[]
      const now = await this.#time()
      const isOthers = top !== undefined && epochOf(top) !== ownEpoch
      // Last, since it may take a moment to notice that a client has ended its side of the connection.
      if (isOthers && !isAwaited()) {
        const problem = `Another server may own the world "${id}", which is not claimed for a client that is gone`
        throw new StateError('moved', `${problem}. Keep the connection open until the response.`, 1)
      }
      // The first epoch is above those of a deleted log of that name, whose last owner may not know of the deletion yet.
      const epoch = top ? epochOf(top) + 1 : now
      if (!(await this.#add(key, `${epoch}-0`, ['claim', String(now)]))) continue
      return { epoch, isNew: top === undefined, at: now, lines: () => this.#lines(key) }
    }
  }

  async confirm(id: string, epoch: number): Promise<void> {
    const [exists, later] = await Promise.all([
      this.#send(['EXISTS', logOf(id)]),
      this.#send(['XRANGE', logOf(id), `${epoch + 1}-0`, '+', 'COUNT', '1']) as Promise<StreamEntry[]>,
    ])
    if (exists !== 1 || later.length > 0) throw moved(id)
  }

  async append({ id, epoch, sequence, text, isWhole }: NewLine): Promise<void> {
    const [key, entry] = [logOf(id), `${epoch}-${sequence}`]
    if (!(await this.#add(key, entry, ['line', text], 'NOMKSTREAM'))) throw moved(id)
    // If this fails, the lines before it stay and do not count.
    if (isWhole) void this.#send(['XTRIM', key, 'MINID', entry]).catch(() => undefined)
  }

  async check(): Promise<void> {
    // A full or read-only server refuses it like any write; it changes nothing, so nothing is synced.
    await this.#send(['SETRANGE', 'agent-mailbox-sim:check', '0', ''])
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    this.#client = undefined
    if (client?.isReady) await Promise.race([client.close(), startPause(1000).over])
    client?.destroy()
  }

  async *#lines(key: string): AsyncGenerator<StoredLine> {
    for (let from = '-'; ; ) {
      const command = ['XRANGE', key, from, '+', 'COUNT', String(pageLength)]
      const entries = (await this.#send(command)) as StreamEntry[]
      for (const [id, [field, text]] of entries) {
        if (field !== 'claim') yield { text, place: `${this.name}, entry ${id} of ${key}` }
      }
      const last = entries.at(-1)
      if (!last || entries.length < pageLength) return
      from = `(${last[0]}`
    }
  }

  async #field<Value>(field: string): Promise<Value | undefined> {
    const text = (await this.#send(['HGET', registry, field])) as string | null
    return text === null ? undefined : this.#parsed<Value>(text)
  }

  /** @throws StateError `damaged` */
  #parsed<Value>(text: string): Value {
    const value = parseJson(text)
    if (value !== undefined) return value as Value
    throw new StateError('damaged', `${this.name}: a value at ${registry} is damaged: it is not JSON.`)
  }

  /** Returns the time of the server, the same for all owners, in milliseconds since the epoch. */
  async #time(): Promise<number> {
    const [seconds, microseconds] = ((await this.#send(['TIME'])) as string[]).map(Number) as [number, number]
    return seconds * 1000 + Math.floor(microseconds / 1000)
  }

  /** Appends to a stream; returns false if the id is too small, or with `NOMKSTREAM` if there is no stream. */
  async #add(key: string, id: string, content: StreamEntry[1], ...options: string[]): Promise<boolean> {
    try {
      return (await this.#send(['XADD', key, ...options, id, ...content])) !== null
    } catch (error) {
      if (/equal or smaller/.test((error as Error).message)) return false
      throw error
    }
  }

  /** Sends a command. @throws StateError `unavailable`; the command may have been executed nevertheless */
  async #send(command: readonly string[]): Promise<unknown> {
    try {
      const client = await this.#connected()
      return await withinLimit(commandTimeout, undefined, () => client.sendCommand([...command]))
    } catch (error) {
      if (error instanceof StateError) throw error
      const { message, name } = error as Error
      const reason = message === '' ? name : message
      const remedy = 'Check the URL of --state, MAILBOX_SIM_STATE_PASSWORD and the store, or try again'
      throw new StateError('unavailable', `${this.name} does not do what is asked: ${reason}. ${remedy}.`, 1)
    }
  }

  #connected(): Promise<Client> {
    this.#client ??= connect(this.#url).catch((error: unknown) => {
      this.#client = undefined
      throw error
    })
    return this.#client
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

function moved(id: string): StateError {
  const problem = `The world "${id}" has been claimed by another server, or its log was deleted`
  return new StateError('moved', `${problem}. Try again.`, 1)
}

function epochOf([id]: StreamEntry): number {
  return Number(id.split('-', 1)[0])
}

/** Connects, and connects again whenever the connection is lost. @throws StateError `missing`, an error of the connection */
async function connect(url: string): Promise<Client> {
  const { createClient } = await import('redis').catch((error: Error) => {
    // Every loader has its own code for a package that is not there, so its reason is told.
    const [reason] = error.message.split('\n')
    throw new StateError(
      'missing',
      `--state redis:// needs the package redis (npm install redis), which could not be loaded: ${reason}`,
    )
  })
  let wasConnected = false
  const socket = {
    connectTimeout: commandTimeout,
    // The address of a server that never responded is most likely misspelt.
    reconnectStrategy: (retries: number, cause: Error) =>
      wasConnected ? Math.min(50 * 2 ** retries, 1000) : cause,
  }
  const client = createClient({ url, RESP: 2, disableOfflineQueue: true, socket }) as unknown as Client
  // Whoever sends a command gets the error.
  client.on('error', () => undefined)
  await client.connect()
  wasConnected = true
  return client
}
