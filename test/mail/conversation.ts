import type { ScenarioInput, Simulator } from 'agent-mailbox-sim'
import { type Draw, pick } from './mutation.js'

const people = ['ann@shop.example', 'bea@hotel.example', 'list@lists.example']
const subjects = ['Lamp', 'Re: Lamp', 'AW: Lamp', 'Lamp (fwd)', 'Chairs', 'Re: Chairs', 'Re: [list] Lamp', '']

/**
 * Mails that name each other, what is missing and themselves; some share a Message-ID, a date, a subject, and some have
 * none of these.
 */
export function conversation(draw: Draw): string[] {
  const ids = 4 + draw(20)
  const id = () => `<${draw(ids)}@x>`
  const day = () => `${1 + draw(9)} Jan 2026 09:00:00 +0000`
  return Array.from({ length: 3 + draw(16) }, (_, number) => {
    const answered = draw(6) === 0 ? `Your mail ${id()} to <${pick(people, draw)}>` : id()
    const optional: readonly (readonly [odds: number, field: () => string])[] = [
      [1 / 2, () => `In-Reply-To: ${answered}`],
      [1 / 3, () => `References: ${Array.from({ length: draw(5) }, id).join(' ')}`],
      [7 / 8, () => `Date: ${day()}`],
      [7 / 8, () => `Message-ID: ${id()}`],
      [1 / 6, () => `Cc: ${pick(people, draw)}`],
      [1 / 20, () => `Received: by x; ${day()}`],
    ]
    return [
      `From: ${pick(people, draw)}`,
      `To: ${pick([...people, 'support@agents.example'], draw)}`,
      `Subject: ${pick(subjects, draw)}`,
      ...optional.flatMap(([odds, field]) => (draw(1000) < odds * 1000 ? [field()] : [])),
      '',
      `Mail ${number}`,
    ].join('\r\n')
  })
}

type Support = NonNullable<ScenarioInput['identities']>[number]

/** A scenario with one mailbox, which starts later than all mail of `conversation`. */
export function oneMailbox(support: Partial<Support>, more: Partial<ScenarioInput> = {}): ScenarioInput {
  const identity = { handle: 'support', mailbox_address: 'support@agents.example', ...support }
  return { scenario: 'mail', start: '2026-02-01T00:00:00Z', ...more, identities: [identity] } as ScenarioInput
}

/** The texts of the mails of each thread, with the fields of the thread. */
export function threadsOf({ mailbox }: Simulator): string[] {
  const lines = mailbox.threads({ limit: 100 }).threads.map(({ id, subject, message_count }) => {
    const texts = mailbox.conversation(id).messages.map(({ text }) => text)
    return `${subject} (${message_count}): ${texts.toSorted().join(', ')}`
  })
  return lines.toSorted()
}

/** Returns the items in another order. */
export function shuffled<Item>(items: readonly Item[], draw: Draw): Item[] {
  const left = [...items]
  return items.map(() => left.splice(draw(left.length), 1)[0] as Item)
}
