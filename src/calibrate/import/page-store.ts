import { type FileHandle, open, rm } from 'node:fs/promises'
import { parseJson } from '../../contract/json.js'
import type { Fields } from '../exchange.js'

/** Pages kept in memory. */
const remembered = 40

/**
 * Stores the answers of a service on disk by request. An interrupted import repeats none of them, and memory holds
 * only a few pages. The file contains mail, so only its owner may read it.
 */
export class PageStore {
  readonly path: string
  readonly #file: FileHandle
  readonly #places = new Map<string, readonly [start: number, length: number]>()
  readonly #recent = new Map<string, Fields>()
  #end = 0

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  /** Opens a store with the pages that it already contains. */
  static async open(path: string): Promise<PageStore> {
    const store = new PageStore(path, await open(path, 'a+', 0o600))
    for await (const line of store.#file.readLines({ autoClose: false, start: 0 })) {
      const length = Buffer.byteLength(line)
      const target = (parseJson(line) as { target?: string } | undefined)?.target
      // A page whose line was cut off by an interruption is requested again.
      if (target !== undefined) store.#places.set(target, [store.#end, length])
      store.#end += length + 1
    }
    const { size } = await store.#file.stat()
    if (size < store.#end) await store.#file.appendFile('\n')
    return store
  }

  /** The number of pages. */
  get size(): number {
    return this.#places.size
  }

  /** Returns the page of a target. */
  async read(target: string): Promise<Fields | undefined> {
    const recent = this.#recent.get(target)
    const place = this.#places.get(target)
    if (recent || !place) return recent
    const [start, length] = place
    const buffer = Buffer.alloc(length)
    await this.#file.read(buffer, 0, length, start)
    const { body } = parseJson(buffer.toString('utf8')) as { body: Fields }
    this.#remember(target, body)
    return body
  }

  /** Adds the page of a target. */
  async add(target: string, body: Fields): Promise<void> {
    const line = JSON.stringify({ target, body })
    await this.#file.appendFile(`${line}\n`)
    const length = Buffer.byteLength(line)
    this.#places.set(target, [this.#end, length])
    this.#end += length + 1
    this.#remember(target, body)
  }

  /** Closes the store, and removes it if it is no longer needed. */
  async close(remove: boolean): Promise<void> {
    await this.#file.close()
    if (remove) await rm(this.path, { force: true })
  }

  #remember(target: string, body: Fields): void {
    this.#recent.set(target, body)
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > remembered && oldest !== undefined) this.#recent.delete(oldest)
  }
}
