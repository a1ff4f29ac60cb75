import { createSimulator } from '../../src/doors/simulator/create-simulator.js'
import type { Simulator } from '../../src/doors/simulator/simulator.js'
import { type Client, type PlayedStory, playedStoryOf } from '../../src/runs/fuzz/facts.js'
import { ExpectationChecker } from '../../src/story/expectations/expectation-checker.js'
import type { Story } from '../../src/story/index.js'

/** A client in this process, which throws if it fails. */
export type ClientFunction = (mailbox: Simulator) => Promise<unknown>

/** A function called for each story with a world on a frozen clock. */
export class FunctionClient implements Client {
  readonly #client: ClientFunction
  /** One for all bases: each story is a world of it. */
  #simulator: Promise<Simulator> | undefined

  constructor(client: ClientFunction) {
    this.#client = client
  }

  async play(story: Story, maxRequests: number): Promise<PlayedStory> {
    this.#simulator ??= createSimulator({ initialState: story, trace: undefined })
    const simulator = await this.#simulator
    const mailbox = await simulator.addWorld({ initialState: story })
    const checker = new ExpectationChecker(mailbox)
    const limit = new RequestLimit(mailbox, maxRequests)
    try {
      checker.noteClient('running')
      let why: string | null = null
      try {
        await limit.within(this.#client(mailbox))
      } catch (error) {
        why = messageOf(error)
      }
      checker.noteClient('ended')
      return playedStoryOf(mailbox, { passed: why === null, ended: true, why }, checker.results())
    } finally {
      limit.end()
      checker.close()
      mailbox.close()
    }
  }
}

/** Closes a mailbox whose client never stops sending requests. */
class RequestLimit {
  readonly #end: () => unknown
  readonly #reached: Promise<void>

  constructor({ events }: Simulator, most: number) {
    let requests = 0
    let reach = (): void => undefined
    this.#reached = new Promise((_, reject) => {
      reach = () => reject(new Error(`more than ${most} requests`))
    })
    // Nobody may be waiting when it is reached.
    this.#reached.catch(() => undefined)
    const { feed } = events
    this.#end = feed.subscribe(() => {
      if (feed.keptAt(feed.latest)?.type === 'exchange' && ++requests > most) reach()
    })
  }

  /** Waits for a client, or until there are too many requests. */
  async within(client: Promise<unknown>): Promise<void> {
    client.catch(() => undefined)
    await Promise.race([client, this.#reached])
  }

  end(): void {
    this.#end()
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first = ''] = error.message.split('\n')
  return error.name === 'Error' ? first : `${error.name}: ${first}`
}
