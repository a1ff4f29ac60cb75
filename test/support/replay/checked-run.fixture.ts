import { createSimulator } from '../../../src/doors/simulator/create-simulator.js'
import type { SimulatorOptions } from '../../../src/doors/simulator/options.js'
import type { Simulator } from '../../../src/doors/simulator/simulator.js'
import { formatSpan } from '../../../src/runs/reports/report.js'
import type { Duration } from '../../../src/service/time/time.js'
import { ExpectationChecker } from '../../../src/story/expectations/expectation-checker.js'
import type { ExpectationResult } from '../../../src/story/expectations/kinds.js'

import type { ScenarioInput } from '../../../src/story/format/scenario.js'
import { ask } from '../simulator/asked-desk.js'

/** A scenario to check, besides its two agents and their threads. */
export interface CheckedScenario
  extends Pick<ScenarioInput, 'identities' | 'timeline' | 'expect' | 'webhooks' | 'assume' | 'secrets'>,
    Pick<SimulatorOptions, 'receiver' | 'extend'> {}

/** A run with its checker and an agent that tests control. */
export class CheckedRun {
  readonly simulator: Simulator
  readonly checker: ExpectationChecker

  constructor(simulator: Simulator) {
    this.simulator = simulator
    this.checker = new ExpectationChecker(simulator)
  }

  /** Sends a request of the agent. */
  ask(path: string, init?: RequestInit): Promise<void> {
    return ask(this.simulator, `/api/v1${path}`, init)
  }

  /** Lists the messages of the thread with a subject. */
  async read(subject: string): Promise<void> {
    await this.ask(`/mail/messages?thread_id=${this.idOf(subject)}`)
  }

  /** Changes the display name of the agent. */
  rename(name: string): Promise<void> {
    return this.ask('/identities/support', { method: 'PATCH', body: JSON.stringify({ display_name: name }) })
  }

  /** Returns the id of the thread with a subject. */
  idOf(subject: string): string {
    const thread = this.simulator.threads.list().find((one) => one.subject === subject)
    if (!thread) throw new Error(`There is no thread "${subject}".`)
    return thread.id
  }

  /** Advances the clock. */
  pass(duration: string): Promise<void> {
    return this.simulator.clock.advance(duration as Duration)
  }

  /** Returns the result of an expectation. */
  result(index = 0): ExpectationResult {
    return this.checker.results()[index] as ExpectationResult
  }

  /** Returns the result of an expectation line by line. */
  lines(index = 0): string[] {
    const { passed, at, expected, found, nearest } = this.result(index)
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

  /** Returns which expectations hold. */
  passed(): boolean[] {
    return this.checker.results().map(({ passed }) => passed)
  }
}

/**
 * Opens a scenario in which `support` has the threads "Refund" (key `refund`, whose message has the key `question`) and "Parcel"
 * (key `parcel`), both unread, and `sales` one of the key `refund`; opening a thread marks it read.
 */
export async function openRun({ receiver, extend, ...story }: CheckedScenario): Promise<CheckedRun> {
  const thread = (key: string, subject: string) => ({
    key,
    subject,
    messages: [{ key: 'question', at: '-1h', from: 'Ann Lee <ann@mail.example>', text: 'Hello' }],
  })
  const simulator = await createSimulator({
    ...(receiver && { receiver }),
    ...(extend && { extend }),
    scenario: {
      scenario: 'checked',
      assume: { 'threads.unread-after-read': 'becomes-read' },
      identities: [
        { handle: 'support', threads: [thread('refund', 'Refund'), thread('parcel', 'Parcel')] },
        { handle: 'sales', threads: [thread('refund', 'A refund of sales')] },
      ],
      ...story,
    },
  })
  return new CheckedRun(simulator)
}
