import { counted } from '../../contract/counted.js'
import { formatExchange } from '../exchange-line.js'
import type { Simulator } from '../simulator.js'

/** What a matcher tells `expect`; the message is shown when that is not what was expected. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/** The simulator a matcher was given. @throws TypeError when it is something else */
export function simulatorIn(received: unknown, matcher: string): Simulator {
  const { journal, threads, reliances } = (received ?? {}) as Partial<Simulator>
  if (journal && threads && typeof reliances === 'function') return received as Simulator
  const given = received === null ? 'null' : typeof received
  throw new TypeError(`expect(mailbox).${matcher}() looks at a simulator; it was given ${given}.`)
}

/** The first few lines of text blocks, and how many there are besides. */
export function listed(blocks: readonly string[], shown: number): string {
  const rest = blocks.length - shown
  return [...blocks.slice(0, shown), ...(rest > 0 ? [`… and ${rest} more`] : [])]
    .map((block) => block.replace(/^/gm, '  '))
    .join('\n')
}

/** That no request has come, and which of them went to the first world instead. */
export function noRequests(mailbox: Simulator): string {
  const none = `No request has come to ${mailbox.id}`
  const [first] = mailbox.worlds()
  const strays = first === undefined || first.id === mailbox.id ? [] : first.journal.exchanges()
  const last = strays.at(-1)
  if (!first || !last) return `${none}; does the client use mailbox.baseUrl and mailbox.apiKey?`
  const came = `${counted(strays.length, 'request')} came to ${first.id}, the last ${formatExchange(last)}`
  return `${none}; ${came}. Does the client use mailbox.apiKey?`
}
