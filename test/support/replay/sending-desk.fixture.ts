import { expect } from 'vitest'
import common from '../../../extensions/common.js'
import type { InvariantName } from '../../../src/story/expectations/invariant.js'
import { openRun } from './checked-run.fixture.js'

/** The person who wrote to the agent. */
export const ann = 'ann@mail.example'

/** A run in which an agent sends mail by operations of an extension. */
export async function openDesk(
  invariants: readonly InvariantName[],
  { replies, ...story }: Parameters<typeof openRun>[0] & { readonly replies?: 1 } = {},
) {
  const run = await openRun({
    extend: [common],
    ...story,
    expect: invariants.map((invariant) => ({ invariant, ...(replies && { replies }) })),
  })
  const { simulator } = run
  const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    run.ask(path, { method: 'POST', body: JSON.stringify(body), headers })
  return {
    run,
    simulator,
    /** Returns what each broken invariant found, by its name. */
    broken(): Record<string, string> {
      const results = run.checker.results()
      const found = results.map((one, index) => [invariants[index], one.passed ? '' : one.found])
      return Object.fromEntries(found.filter(([, text]) => text !== ''))
    },
    send: (body: object, headers?: Readonly<Record<string, string>>) =>
      post(
        '/mail/messages',
        { agent: 'support', to: ann, subject: 'Your refund', text: 'Done.', ...body },
        headers,
      ),
    reply: (id: string, body: object = {}, headers?: Readonly<Record<string, string>>) =>
      post(`/mail/messages/${id}/reply`, { text: 'Thank you.', ...body }, headers),
    /** Receives mail that the agent reads at once. */
    get: async (fields: object = {}) => {
      const mail = { to: 'support', from: `Ann <${ann}>`, subject: 'Hello', text: 'Hello?', ...fields }
      const { message } = await simulator.mail.receive(mail)
      await run.ask(`/mail/messages?thread_id=${message.thread_id}`)
      return message
    },
    /** Lets the requests that follow come from a start of the agent's program. */
    start: (start: number): void => {
      simulator.view.world.agentLife = {
        perform: () => undefined,
        client: { start, isKilled: false },
        copies: 1,
      }
    },
    /** Returns the latest message of a thread, by its subject. */
    latest: (subject: string): string =>
      simulator.mailbox.conversation(run.idOf(subject)).messages.at(-1)?.id ?? expect.unreachable(),
    receive: async (fields: object) => {
      const mail = { to: 'support', from: `Ann <${ann}>`, subject: 'Hello', text: 'Hello?', ...fields }
      return (await simulator.mail.receive(mail)).message
    },
  }
}

/** An agent with its run. */
export type Desk = Awaited<ReturnType<typeof openDesk>>
