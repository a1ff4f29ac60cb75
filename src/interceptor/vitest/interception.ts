import { type SetupServer, setupServer } from 'msw/node'
import { createHandlersReceiver, parseSite } from '../../handlers/index.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { MailboxTestOptions } from './options.js'
import { Site } from './site.js'

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
  readonly #sites = new Map<string, Promise<Site>>()
  readonly #built = new Set<Site>()
  /** Has deliveries go to the handlers of whichever server answers requests as well. */
  readonly #receiver = createHandlersReceiver(() => this.#server?.listHandlers() ?? [])
  #server: MailboxTestOptions['server']
  #ownServer: SetupServer | undefined
  #open = 0

  /** A mailbox for a test; its scenario is loaded once. @throws ScenarioError, ReadingError, ClockError, TypeError */
  async open(options: MailboxTestOptions): Promise<OpenMailbox> {
    const site = await this.#site(options.baseUrl ?? 'http://mailbox.test')
    const story = await site.story(options)
    this.#checkServer(options.server)
    const mailbox = story.begin()
    this.#open++
    this.#serve(site, options.server)
    return {
      mailbox,
      close: () => {
        story.end(mailbox)
        this.#open--
        if (this.#open === 0) this.#stop()
      },
    }
  }

  async #site(baseUrl: string): Promise<Site> {
    const { pattern } = parseSite(baseUrl)
    const opening = this.#sites.get(pattern) ?? Site.open(pattern, this.#receiver)
    this.#sites.set(pattern, opening)
    const site = await opening
    this.#built.add(site)
    return site
  }

  #checkServer(server: MailboxTestOptions['server']): void {
    if (this.#open === 0 || this.#server === (server ?? this.#ownServer)) return
    throw new TypeError(
      'MSW has one server at a time intercept requests: tests that run at the same time must have the same ' +
        '"server" in their mailboxTest, or none.',
    )
  }

  /** Handlers are added again where a test has had the server forget them. */
  #serve({ handlers }: Site, given: MailboxTestOptions['server']): void {
    this.#server ??= given ?? this.#listen()
    if (this.#server.listHandlers().some((handler) => handler === handlers[0])) return
    // Any origin comes last, since it takes the requests to every other.
    const sites = [...this.#built].toSorted((a, b) => Number(a.anyOrigin) - Number(b.anyOrigin))
    this.#server.use(...sites.flatMap((site) => site.handlers))
  }

  #listen(): SetupServer {
    this.#ownServer = setupServer()
    this.#ownServer.listen({ onUnhandledRequest: 'bypass' })
    return this.#ownServer
  }

  #stop(): void {
    this.#ownServer?.close()
    this.#ownServer = undefined
    this.#server = undefined
  }
}
