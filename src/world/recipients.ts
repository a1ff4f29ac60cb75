import { nearestNames } from '../contract/text.js'
import { parseMailbox, parseMailboxList, sameAddress } from '../mail/index.js'
import type { MessageRow } from '../model/index.js'

/** The parts of a mail that name its recipients. */
export type AddressedMail = Pick<MessageRow, 'to' | 'headers'>

/** So many recipients are named in a message to people; of more, the nearest. */
const mostNamed = 8

/** The recipient that a text means, as the mail spells it; a mail that names none may have gone to anybody. */
export function recipientNamed(mail: AddressedMail, text: string): string | undefined {
  const wanted = parseMailbox(text)?.address ?? text
  const recipients = recipientsOf(mail)
  return recipients.length === 0 ? wanted : recipients.find((address) => sameAddress(address, wanted))
}

/** Why an outcome cannot be about that recipient, to stand behind what the mail is called; undefined where it can. */
export function whyNoRecipient(mail: AddressedMail, text: string): string | undefined {
  if (recipientNamed(mail, text) !== undefined) return undefined
  const recipients = recipientsOf(mail)
  const named = [...new Set([...nearestNames(text, recipients), ...recipients])]
  const more = named.length > mostNamed ? ` and ${named.length - mostNamed} more` : ''
  return `has no recipient "${text}"; it goes to ${named.slice(0, mostNamed).join(', ')}${more}`
}

/** Those it is addressed to, and those who get a copy as its headers have it. */
function recipientsOf({ to, headers }: AddressedMail): string[] {
  const copies = (headers ?? []).flatMap(([name, value]) => (/^b?cc$/i.test(name) ? [value] : []))
  return [...to, ...copies.flatMap(parseMailboxList).map(({ address }) => address)]
}
