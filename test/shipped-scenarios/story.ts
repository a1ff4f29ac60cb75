import { readFileSync } from 'node:fs'
import type { Message, Simulator, SimulatorOptions, Thread } from 'agent-mailbox-sim'
import { expect, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { handlers } from '../conformance/handlers.js'

/** The scenarios that ship, by name. */
export const storyNames = [
  'auto-reply-loop',
  'bounce-storm',
  'busy-inbox',
  'duplicate-delivery',
  'empty',
  'multi-agent',
  'pagination-edges',
  'prompt-injection',
  'refund-conversation',
  'refund-request',
  'slow-and-failing',
  'support-desk',
  'world-mail',
] as const

/** The name of a scenario that ships. */
export type StoryName = (typeof storyNames)[number]

/** The text of a scenario's file. */
export function storyText(name: StoryName): string {
  return readFileSync(new URL(`../../scenarios/${name}.yaml`, import.meta.url), 'utf8')
}

/** A scenario as in its file. */
export function storyInput(name: StoryName): ScenarioInput {
  return parse(storyText(name)) as ScenarioInput
}

/** Sends a request, with a body for a change; returns the text of the successful answer. */
type Ask = (path: string, key: string, change?: object) => Promise<string>

/** A served scenario from the view of its agent. */
export class Story {
  readonly simulator: Simulator
  readonly #ask: Ask

  constructor(simulator: Simulator, ask: Ask) {
    this.simulator = simulator
    this.#ask = ask
  }

  /** The text of the successful answer to a GET. */
  text(path: string, key = this.simulator.apiKey): Promise<string> {
    return this.#ask(path, key)
  }

  /** Changes an agent's identity. */
  async update(agent: string, change: { display_name?: string; description?: string }): Promise<void> {
    await this.#ask(`/api/v1/identities/${agent}`, this.simulator.apiKey, change)
  }

  /** A page of threads. */
  async threads(query: string, key?: string): Promise<{ threads: Thread[]; total: number }> {
    return JSON.parse(await this.text(`/api/v1/mail/threads?${query}`, key))
  }

  /** A page of messages. */
  async messages(query: string, key?: string): Promise<{ messages: Message[]; total: number }> {
    return JSON.parse(await this.text(`/api/v1/mail/messages?${query}`, key))
  }

  /** Every thread of an agent, page by page. */
  async allThreads(agent: string, key?: string): Promise<Thread[]> {
    const all: Thread[] = []
    for (;;) {
      const { threads } = await this.threads(`agent=${agent}&limit=100&offset=${all.length}`, key)
      all.push(...threads)
      if (threads.length < 100) return all
    }
  }

  /** The thread of a subject in an agent's mailbox. */
  async thread(agent: string, subject: string): Promise<Thread> {
    const found = (await this.allThreads(agent)).find((thread) => thread.subject === subject)
    if (!found) throw new Error(`${agent} has no thread "${subject}".`)
    return found
  }

  /** The messages of the thread of a subject, the newest first. */
  async messagesOf(agent: string, subject: string): Promise<Message[]> {
    const { id } = await this.thread(agent, subject)
    return (await this.messages(`thread_id=${id}&limit=100`)).messages
  }

  /** Plays the whole timeline and removes the remaining faults. */
  async play(): Promise<void> {
    await this.simulator.clock.advance('1h')
    expect(this.simulator.timeline.left).toBe(0)
    this.simulator.faults.clear()
  }
}

/** Serves a shipped scenario on a frozen clock until the test ends. */
export async function openStory(name: StoryName, options: SimulatorOptions = {}): Promise<Story> {
  const connection = await handlers.open({ scenario: name, clock: 'frozen', ...options })
  onTestFinished(() => connection.close())
  return new Story(connection.simulator, async (path, key, change) => {
    const method = change ? 'PATCH' : 'GET'
    const { status, body } = await connection.request(method, path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(change && { body: JSON.stringify(change) }),
    })
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    expect(status, `${method} ${path} gave ${text.slice(0, 200)}`).toBe(200)
    return text
  })
}
