import type { Message, Thread } from 'agent-mailbox-sim'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ExpectationChecker } from '../../src/story/expectations/expectation-checker.js'
import { openStory, type Story, type StoryName } from './story.js'

/** The body of a delivery. */
interface Told {
  /** The id of the event, the same in every delivery. */
  readonly id: string
  readonly event: string
  /** When it happened. */
  readonly created_at: string
  readonly data: { readonly message_id: string; readonly thread_id: string; readonly recipient?: string }
}

/** An agent that works on deliveries. */
interface Receiver {
  /** Handles a delivery; the answer is sent afterwards. */
  take(told: Told): void | Promise<void>
  /** Does other work between deliveries. */
  work?(): Promise<void>
}

type Hire = (story: Story) => Receiver

/** Plays a story with an agent and returns the descriptions of its failed expectations. */
async function failuresOf(name: StoryName, hire: Hire, seed?: number): Promise<string[]> {
  const story = await openStory(name, { seed })
  const { simulator } = story
  const checker = new ExpectationChecker(simulator)
  onTestFinished(() => checker.close())
  const receiver = hire(story)
  simulator.webhooks.on('*', async (request) => receiver.take(await request.json()))
  for (let turn = 0; turn < 24; turn++) {
    await simulator.clock.advance('10s')
    await receiver.work?.()
  }
  expect(simulator.timeline.left).toBe(0)
  expect(simulator.timeline.played().filter(({ problem }) => problem !== null)).toEqual([])
  return checker.results().flatMap(({ passed, describe }) => (passed ? [] : [describe]))
}

/** The number of orders that an agent for orders shows in its description. */
class OrderBook {
  readonly #story: Story
  #shown = 0

  constructor(story: Story) {
    this.#story = story
  }

  /** Updates the shown number if it changed. */
  async show(count: number): Promise<void> {
    if (count === this.#shown) return
    this.#shown = count
    await this.#story.update('orders', { description: `Orders today: ${count}` })
  }
}

/** Creates an agent that counts messages by some id. */
function counting(idOf: (message: Message) => string | undefined): Hire {
  return (story) => {
    const book = new OrderBook(story)
    const seen = new Set<string>()
    return {
      async take({ data }) {
        const { messages } = await story.messages(`thread_id=${data.thread_id}&limit=100`)
        const message = messages.find(({ id }) => id === data.message_id)
        const id = message && idOf(message)
        if (id !== undefined) seen.add(id)
        await book.show(seen.size)
      },
    }
  }
}

describe('duplicate-delivery', () => {
  const two = 'Two orders arrived today, regardless of how often they were reported.'
  const few = 'The agent writes the number when it changes, and not again for copies.'
  const read = 'It reads the messages before it counts.'

  /** The order number in a message. */
  const byNumber = ({ subject }: Message) => /^(?!re:).*\border (\d+)$/i.exec(subject)?.[1]

  it.each([1, 42])('is met by an agent that counts orders by their number, with seed %i', async (seed) => {
    expect(await failuresOf('duplicate-delivery', counting(byNumber), seed)).toEqual([])
  })

  /** Counts events. */
  const careless: Hire = (story) => {
    const book = new OrderBook(story)
    let count = 0
    return { take: () => book.show(++count) }
  }

  it.each<[string, Hire, string[]]>([
    ['events', careless, [two, few, read]],
    ['messages, but each event once', counting(({ id }) => id), [two, few]],
    ['threads', counting(({ thread_id }) => thread_id), [two, few]],
  ])('catches an agent that counts %s', async (_, agent, failures) => {
    expect(await failuresOf('duplicate-delivery', agent, 42)).toEqual(failures)
  })
})

describe('bounce-storm', () => {
  const once = 'It opens each new thread once, not once for each of eighty-two events.'
  const found = 'It finds the one message that a person wrote.'

  /** Notes each event with the address that it names, and reads its thread later, once. */
  const careful =
    (dead: (string | undefined)[]): Hire =>
    (story) => {
      const unread = new Set<string>()
      return {
        take({ event, data }) {
          if (event === 'message.received') unread.add(data.thread_id)
          if (event === 'message.bounced') dead.push(data.recipient)
        },
        async work() {
          const ids = [...unread]
          unread.clear()
          for (const id of ids) await story.messages(`thread_id=${id}`)
        },
      }
    }

  it('is met by an agent that notes what comes, and reads it at leisure', async () => {
    const dead: (string | undefined)[] = []
    expect(await failuresOf('bounce-storm', careful(dead), 40)).toEqual([])
    expect(dead).toHaveLength(40)
    expect(new Set(dead).size).toBe(40)
    expect(dead).not.toContain('kai@inlet.example')
  })

  it('catches an agent that acts once for each event', async () => {
    const careless: Hire = (story) => ({
      async take({ data }) {
        await story.threads('agent=news')
        await story.messages(`thread_id=${data.thread_id}`)
      },
    })
    expect(await failuresOf('bounce-storm', careless)).toEqual([once])
  })

  it('fails an agent that overlooks a person among automatic mail', async () => {
    const isReport = ({ subject }: Thread) => /undeliver|failure|delay|returned|unzustellbar/i.test(subject)
    const careless: Hire = (story) => {
      const read = new Set<string>()
      return {
        take: () => undefined,
        async work() {
          const { threads } = await story.threads('agent=news&limit=100')
          for (const thread of threads) {
            if (!thread.unread || read.has(thread.id) || isReport(thread)) continue
            read.add(thread.id)
            await story.messages(`thread_id=${thread.id}`)
          }
        },
      }
    }
    expect(await failuresOf('bounce-storm', careless)).toEqual([found])
  })
})
