import { type SetupServer, setupServer } from 'msw/node'
import { defaultBaseUrl, parseBaseUrl } from '../../../service/operations/request.js'
import { createHandlersReceiver } from '../../../service/webhooks/transport.js'
import type { Simulator } from '../../simulator/simulator.js'
import { bypassProxies, interceptFurther, warnOfStrays } from '../node.js'
import { MailboxPool, type MailboxTestOptions } from './mailbox-pool.js'

/** The open mailbox of a test. */
export interface OpenMailbox {
  readonly mailbox: Simulator
  /** Closes the mailbox at the end of the test. */
  close(): void
}

/**
 * Intercepts the requests of a worker's tests. MSW lets only one server at a time intercept requests, so all mailboxes of
 * the worker share this one, even with different scenarios and base URLs. Nothing is intercepted while no mailbox is
 * open.
 */
export class Interception {
  readonly #pools = new Map<string, Promise<MailboxPool>>()
  readonly #opened = new Set<MailboxPool>()
  /** Passes deliveries to the handlers of the server that handles requests. */
  readonly #receiver = createHandlersReceiver(() => this.#server?.listHandlers() ?? [])
  #server: MailboxTestOptions['server']
  #ownServer: SetupServer | undefined
  #stopFurther: (() => void) | undefined
  /** What ends sending requests without a proxy, by the address. */
  readonly #direct = new Map<string, () => void>()
  #open = 0

  /** Opens a mailbox for a test; loads its scenario once. @throws ScenarioError, WorldError, TypeError */
  async open(options: MailboxTestOptions): Promise<OpenMailbox> {
    const pool = await this.#pool(options.baseUrl ?? defaultBaseUrl)
    const source = await pool.source(options)
    this.#checkServer(options.server)
    const mailbox = source.open()
    this.#open++
    this.#serve(pool, options.server)
    const { baseUrl } = mailbox
    if (!this.#direct.has(baseUrl)) this.#direct.set(baseUrl, bypassProxies(baseUrl))
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
      'MSW lets one server at a time intercept requests: tests that run at the same time must have the same ' +
        '"server" in their mailboxTest, or none.',
    )
  }

  /** Adds the handlers to the server, and adds them again if a test has reset them. */
  #serve({ handlers }: MailboxPool, server: MailboxTestOptions['server']): void {
    this.#server ??= server ?? this.#listen()
    this.#stopFurther ??= interceptFurther(this.#server)
    if (this.#server.listHandlers().some((handler) => handler === handlers[0])) return
    // The pool for any origin comes last, since its handlers match the requests to all others.
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
    for (const useProxies of [...this.#direct.values()].reverse()) useProxies()
    this.#direct.clear()
    this.#stopFurther = undefined
    this.#ownServer = undefined
    this.#server = undefined
  }
}
