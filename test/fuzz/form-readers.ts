import { textOfHtml } from '../../src/mail/snippet.js'
import type { Vary } from '../../src/runs/fuzz/kinds/vary.js'
import type { ScenarioInput } from '../../src/story/format/scenario.js'
import { Desk, type SeenMessage } from './desk.js'
import { searchClient } from './search-agent.js'

/** A desk whose agent confirms the order that a person names in the newest message of a thread. */
const orders: ScenarioInput = {
  scenario: 'orders',
  extend: 'common',
  assume: { 'common.idempotency': 'replayed' },
  identities: [
    {
      handle: 'support',
      threads: [
        {
          key: 'lamp',
          subject: 'Lamp',
          messages: [
            { from: 'Ann <ann@example.com>', at: '-3h', text: 'I want to return order #4187.' },
            { from: 'Ann <ann@example.com>', at: '-1h', text: 'No, I meant order #5290. Thank you.' },
          ],
        },
        {
          key: 'desk',
          subject: 'Desk',
          messages: [{ from: 'Bo <bo@example.com>', at: '-2h', text: 'Return order #6301.' }],
        },
      ],
    },
  ],
  expect: [
    { sent: { to: 'ann@example.com', text: '/5290/' }, times: 1 },
    { sent: { to: 'ann@example.com', text: '/4187/' }, times: 0 },
    { sent: { to: 'bo@example.com', text: '/6301/' }, times: 1 },
  ],
}

/** Returns what a client takes for the words of a message; undefined for a message that it ignores. */
export type Reads = (message: SeenMessage & { readonly to?: readonly string[] }) => string | undefined

/** Returns what people wrote in a message, in whichever form. */
export const careful: Reads = ({ text, html }) => {
  const [plain, rich] = [withoutQuotation(text ?? ''), withoutQuotation(textOfHtml(html ?? ''))]
  return /#\d/.test(plain) ? plain : rich
}

function withoutQuotation(text: string): string {
  const [own = ''] = text.split(/^\s*(?:>\s*)?On .*wrote:|^\s*_{10,}|^\s*From: /m)
  return own.replace(/^>.*$/gm, '')
}

/** Clients by how they read a message, each with one bug. */
export const readers: Readonly<Record<string, Reads>> = {
  'blind to HTML': ({ text }) => withoutQuotation(text ?? ''),
  'first text wins': ({ text, html }) => withoutQuotation(text || textOfHtml(html ?? '')),
  'quoted text as new': (message) => `${message.text ?? ''} ${textOfHtml(message.html ?? '')}`,
  'only mail to its exact address': (message) =>
    message.to?.includes('support@agents.example') ? careful(message) : undefined,
}

/** Searches for plans that break a client which reads messages in some way. */
export function searchReader(reads: Reads, seed: number, runs: number, kinds?: readonly Vary[]) {
  const client = async (mailbox: ConstructorParameters<typeof Desk>[0]) => {
    const desk = new Desk(mailbox)
    for (const id of (await desk.all()).keys()) {
      const message = await desk.newest(id)
      const text = message?.direction === 'inbound' ? reads(message) : undefined
      if (message === undefined || text === undefined) continue
      const named = [...text.matchAll(/#(\d{4})/g)].map(([, order]) => order)
      const answer = named.length > 0 ? `Returned: ${named.join()}` : 'Which order?'
      await desk.reply(message.id, answer, message.id).catch(() => undefined)
    }
  }
  return searchClient(orders, client, runs, seed, kinds, kinds)
}
