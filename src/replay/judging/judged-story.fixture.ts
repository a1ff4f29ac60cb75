import type { ScenarioInput } from '../../scenario/index.js'
import { createSimulator, type SimulatorOptions } from '../../simulator/create-simulator.js'
import { ask } from '../../simulator/matchers/asked-desk.fixture.js'
import type { Simulator } from '../../simulator/simulator.js'
import { formatSpan } from '../story-time.js'
import type { Verdict } from '../verdict.js'
import { Judge } from './judge.js'

/** What a story under judgement is made of, besides its two agents and their threads. */
export interface JudgedStory extends Pick<ScenarioInput, 'timeline' | 'expect' | 'webhooks' | 'readings'> {
  readonly receiver?: SimulatorOptions['receiver']
}

/** A story with its judge, and an agent that does what it is told. */
export class StoryAtTrial {
  readonly simulator: Simulator
  readonly judge: Judge

  constructor(simulator: Simulator) {
    this.simulator = simulator
    this.judge = new Judge(simulator)
  }

  /** Has the agent ask for something. */
  ask(path: string, init?: RequestInit): Promise<void> {
    return ask(this.simulator, `/api/v1${path}`, init)
  }

  /** Has the agent read the messages of the thread of that subject. */
  async read(subject: string): Promise<void> {
    await this.ask(`/mail/messages?thread_id=${this.idOf(subject)}`)
  }

  /** Has the agent give itself another name. */
  rename(name: string): Promise<void> {
    return this.ask('/identities/support', { method: 'PATCH', body: JSON.stringify({ display_name: name }) })
  }

  /** The id of the thread of that subject. */
  idOf(subject: string): string {
    const thread = this.simulator.threads.list().find((one) => one.subject === subject)
    if (!thread) throw new Error(`There is no thread "${subject}".`)
    return thread.id
  }

  /** Has time pass. */
  pass(duration: string): Promise<void> {
    return this.simulator.clock.advance(duration)
  }

  /** What becomes of the expectation at a place. */
  verdict(index = 0): Verdict {
    return this.judge.verdicts()[index] as Verdict
  }

  /** What becomes of the expectation at a place, line by line. */
  told(index = 0): string[] {
    const { passed, at, expected, found, nearest } = this.verdict(index)
    const into = (instant: string): string => formatSpan(this.simulator.start, instant)
    return [
      `${passed ? 'passed' : 'failed'} ${into(at)} into the story`,
      `expected ${expected}`,
      `found ${found}`,
      ...(nearest
        ? [`nearest ${nearest.line}, ${nearest.exchange ?? 'no exchange'}, ${into(nearest.at)}`]
        : []),
      ...(nearest?.differences ?? []).map((line) => `  ${line}`),
    ]
  }

  /** Which expectations hold. */
  passed(): boolean[] {
    return this.judge.verdicts().map(({ passed }) => passed)
  }
}

/**
 * A story in which `support` has the threads "Refund" (key `refund`, whose message has the key `question`) and "Parcel"
 * (key `parcel`), both unread, and `sales` one of the key `refund`; opening a thread marks it read.
 */
export async function openTrial({ receiver, ...story }: JudgedStory): Promise<StoryAtTrial> {
  const thread = (key: string, subject: string) => ({
    key,
    subject,
    messages: [{ key: 'question', at: '-1h', from: 'Ann Lee <ann@mail.example>', text: 'Hello' }],
  })
  const simulator = await createSimulator({
    ...(receiver && { receiver }),
    scenario: {
      scenario: 'trial',
      readings: { 'threads.unread-after-read': 'becomes-read' },
      identities: [
        { handle: 'support', threads: [thread('refund', 'Refund'), thread('parcel', 'Parcel')] },
        { handle: 'sales', threads: [thread('refund', 'A refund of sales')] },
      ],
      ...story,
    },
  })
  return new StoryAtTrial(simulator)
}
