import { expect } from 'vitest'
import common from '../../../extensions/common.js'
import type { InvariantName } from '../../../src/story/expectations/invariants/invariants.js'
import { openRun } from './checked-run.fixture.js'

/** The person who wrote to the agent. */
export const ann = 'ann@mail.example'

/** A run in which an agent sends mail by operations of an extension. */
export async function openDesk(
  invariants: readonly InvariantName[],
  story: Parameters<typeof openRun>[0] = {},
) {
  const run = await openRun({
    extend: [common],
    ...story,
    expect: invariants.map((invariant) => ({ invariant })),
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
