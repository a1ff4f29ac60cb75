import { type SetupServer, setupServer } from 'msw/node'
import { createHandlersReceiver, parseBaseUrl } from '../../handlers/index.js'
import type { Simulator } from '../../simulator/simulator.js'
import { interceptFurther, warnOfStrays } from '../node.js'
import { MailboxPool, type MailboxTestOptions } from './mailbox-pool.js'

/** A test's mailbox, as long as it is open. */
export interface OpenMailbox {
  readonly mailbox: Simulator
  /** The test is over. */
  close(): void
}

/**
 * What has the requests of a worker's tests answered. MSW lets one server at a time intercept requests, so all
 * mailboxes of the worker, whatever their scenarios and base URLs, share one of these. As long as none is open,
 * requests go their usual way.
 */
export class Interception {
  readonly #pools = new Map<string, Promise<MailboxPool>>()
  readonly #opened = new Set<MailboxPool>()
  /** Has deliveries go to the handlers of whichever server answers requests as well. */
  readonly #receiver = createHandlersReceiver(() => this.#server?.listHandlers() ?? [])
  #server: MailboxTestOptions['server']
  #ownServer: SetupServer | undefined
  #stopFurther: (() => void) | undefined
  #open = 0

  /** A mailbox for a test; its scenario is loaded once. @throws ScenarioError, ReadingError, ClockError, TypeError */
  async open(options: MailboxTestOptions): Promise<OpenMailbox> {
    const pool = await this.#pool(options.baseUrl ?? 'http://mailbox.test')
    const source = await pool.source(options)
    this.#checkServer(options.server)
    const mailbox = source.open()
    this.#open++
    this.#serve(pool, options.server)
    return {
      mailbox,
      close: () => {
        source.close(mailbox)
        this.#open--
        if (this.#open === 0) this.#stop()
      },
    }
  }

  async #pool(baseUrl: string): Promise<MailboxPool> {
    const { pattern } = parseBaseUrl(baseUrl)
    const opening = this.#pools.get(pattern) ?? MailboxPool.open(pattern, this.#receiver)
    this.#pools.set(pattern, opening)
    const pool = await opening
    this.#opened.add(pool)
    return pool
  }

  #checkServer(server: MailboxTestOptions['server']): void {
    if (this.#open === 0 || this.#server === (server ?? this.#ownServer)) return
    throw new TypeError(
      'MSW has one server at a time intercept requests: tests that run at the same time must have the same ' +
        '"server" in their mailboxTest, or none.',
    )
  }

  /** Handlers are added again where a test has had the server forget them. */
  #serve({ handlers }: MailboxPool, given: MailboxTestOptions['server']): void {
    this.#server ??= given ?? this.#listen()
    this.#stopFurther ??= interceptFurther(this.#server)
    if (this.#server.listHandlers().some((handler) => handler === handlers[0])) return
    // Any origin comes last, since it takes the requests to every other.
    const pools = [...this.#opened].toSorted((a, b) => Number(a.anyOrigin) - Number(b.anyOrigin))
    this.#server.use(...pools.flatMap((pool) => pool.handlers))
  }

  #listen(): SetupServer {
    this.#ownServer = setupServer()
    this.#ownServer.listen({ onUnhandledRequest: 'bypass' })
    warnOfStrays(this.#ownServer)
    return this.#ownServer
  }

  #stop(): void {
    this.#ownServer?.close()
    this.#stopFurther?.()
    this.#stopFurther = undefined
    this.#ownServer = undefined
    this.#server = undefined
  }
}
