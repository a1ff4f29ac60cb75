import { limits } from '../../contract/operations.js'
import {
  asFields,
  CalibrationError,
  describeExchange,
  type Fields,
  objectOf,
  refuseWrongKey,
} from '../calibrate/exchange.js'
import { get, identityRequest } from '../calibrate/reads.js'
import type { DownloadedFile, ServiceClient } from '../calibrate/service-client.js'

/** Rows of a list of the service, in its order. */
export interface ReadList {
  readonly rows: readonly Fields[]
  /** What the first page gives as `total`; undefined if that is not a number. */
  readonly total: number | undefined
  /** Whether these are all rows; otherwise there may be more that the service does not list. */
  readonly isWhole: boolean
}

/** Called with the number of rows so far. */
type OnCount = (count: number) => void

/** The most pages and rows of a list that are read: a service may never end it. */
const [maxPages, maxRows] = [2_000, 1_000_000]

const messagesPath = '/api/v1/mail/messages'

/** Reads the lists of a service page by page. */
export class ServiceLists {
  readonly #client: ServiceClient

  constructor(client: ServiceClient) {
    this.#client = client
  }

  webhooks(): Promise<readonly Fields[]> {
    return this.#rows('/api/v1/webhooks', {}, 'webhooks')
  }

  /** Returns the identity of a handle; undefined if there is none. @throws CalibrationError */
  async identity(handle: string): Promise<Fields | undefined> {
    const exchange = await this.#client.send(identityRequest(handle))
    refuseWrongKey(exchange)
    const { answer } = exchange
    const identity = answer.status === 200 ? objectOf(answer) : undefined
    if (!identity && (answer.status < 400 || answer.status >= 500)) throw unexpected(exchange, 'an identity')
    return identity
  }

  /** Returns all threads of an agent. @throws CalibrationError */
  threads(agent: string, onCount?: OnCount): Promise<ReadList> {
    const path = '/api/v1/mail/threads'
    const limit = limits['threads.list'].limit.maximum
    return this.#pages('threads', (offset) => this.#page(path, { agent, limit, offset }, 'threads'), {
      limit,
      onCount,
    })
  }

  /** Returns all threads of the organization, if the service lists threads without a filter. @throws CalibrationError */
  async unscopedThreads(): Promise<ReadList | undefined> {
    const limit = limits['threads.list'].limit.maximum
    const read = (offset: number) => this.#page('/api/v1/mail/threads', { limit, offset }, 'threads', true)
    const list = await this.#pages('threads', read, { limit })
    return list.rows.length === 0 ? undefined : list
  }

  /**
   * Returns the messages of the organization: all, if the service honours offsets, or as many as it returns
   * in one response.
   */
  messages(limit: number, onCount?: OnCount): Promise<ReadList> {
    // Without an offset at first, since a service may reject it.
    const read = (offset: number) => {
      const query = offset === 0 ? { limit } : { limit, offset }
      return this.#page(messagesPath, query, 'messages', offset > 0)
    }
    return this.#pages('messages', read, { limit, onCount })
  }

  /**
   * Returns the messages of a thread or an agent, as many as the service returns in one response. @throws
   * CalibrationError
   */
  messagesOf(
    filter: { readonly thread_id: string } | { readonly agent: string },
    limit: number,
  ): Promise<readonly Fields[]> {
    return this.#rows(messagesPath, { ...filter, limit }, 'messages')
  }

  /** Downloads a stored file; undefined if that fails. @throws CalibrationError */
  download(link: string, withKey: boolean): Promise<DownloadedFile | undefined> {
    return this.#client.download(link, withKey)
  }

  /** Reads pages until one is not full, is refused, or contains nothing new. */
  async #pages(
    name: string,
    read: (offset: number) => Promise<Page | undefined>,
    { limit, onCount }: { readonly limit: number; readonly onCount?: OnCount | undefined },
  ): Promise<ReadList> {
    const rows = new Map<unknown, Fields>()
    let total: number | undefined
    for (let offset = 0; ; offset += limit) {
      const page = await read(offset)
      if (offset === 0) total = page?.total
      const before = rows.size
      for (const row of page?.rows ?? []) rows.set(row['id'], row)
      onCount?.(rows.size)
      const isLast = page !== undefined && page.rows.length < limit
      // A service that ignores the offset returns its first page again.
      if (isLast || rows.size === before) return { rows: [...rows.values()], total, isWhole: isLast }
      if (offset >= (maxPages - 1) * limit || rows.size > maxRows) {
        const message = `The list of ${name} has more than ${maxPages} pages or ${maxRows} rows, and no more are read.`
        throw new CalibrationError('unexpected', message)
      }
    }
  }

  /**
   * Returns a page; undefined if the service refuses the request and `mayRefuse` is set.
   * @throws CalibrationError `refused`, `unexpected`
   */
  async #page(path: string, query: object, list: string, mayRefuse = false): Promise<Page | undefined> {
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
    const exchange = await this.#client.send(get(path, texts))
    const { status } = exchange.answer
    if (mayRefuse && status >= 400 && status < 500) return undefined
    refuseWrongKey(exchange)
    const body = status === 200 ? objectOf(exchange.answer) : undefined
    // Without this page, messages would be missing from the scenario.
    if (!Array.isArray(body?.[list])) throw unexpected(exchange, `a list of ${list}`)
    const { total } = body as { total?: unknown }
    const rows = (body[list] as unknown[]).map(asFields)
    if (rows.includes(undefined)) throw unexpected(exchange, `a list of ${list}, each an object`)
    return { rows: rows as Fields[], total: typeof total === 'number' ? total : undefined }
  }

  async #rows(path: string, query: object, list: string): Promise<readonly Fields[]> {
    return (await this.#page(path, query, list))?.rows ?? []
  }
}

type Page = Pick<ReadList, 'rows' | 'total'>

function unexpected(exchange: Parameters<typeof describeExchange>[0], expected: string): CalibrationError {
  const remedy = 'check --base-url and --assume, or run the command again later'
  return new CalibrationError('unexpected', `${describeExchange(exchange)}: expected ${expected}; ${remedy}.`)
}
