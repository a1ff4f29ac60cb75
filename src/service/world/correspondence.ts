import { escapeHtml } from '../../base/text.js'
import { formatMailbox, sameAddress } from '../../mail/address.js'
import { textOfHtml } from '../../mail/snippet.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import { addressesOf } from '../rendering/header-fields.js'
import { formatMailDate, parseInstant } from '../time/time.js'
import type { Command, CommandOf } from './commands/commands.js'
import type { StoredMessage } from './sent-mail.js'

/** Names in double braces that stand for parts of the message that an entry replies to. */
export const sentFields = /\{\{\s*sent\.(subject|text|quote|quoted|from|to|date)\s*\}\}/g

/** What an entry of a story does about a message that an agent sent. */
interface Reaction {
  readonly commands: readonly Command[]
  /** Whether it is about the message itself: a reply, a delivery or a bounce. */
  readonly answers?: true
}

/** Returns an entry with what it takes from the message that triggered it. */
export function inAnswerTo<Entry extends Reaction>(
  mail: StoredMessage,
  entry: Entry,
  store: Pick<MailboxStore, 'get' | 'rows' | 'messages'>,
): Entry {
  const commands = entry.commands.map((command): Command => {
    if (command.type === 'receive-message') {
      const filled = { ...command, ...withWordsOf(mail, command) }
      return entry.answers ? { ...filled, ...answerTo(mail, command, store) } : filled
    }
    const isOutcome = command.type === 'bounce-message' || command.type === 'deliver-message'
    return isOutcome && entry.answers ? { ...command, message_id: mail.id } : command
  })
  return { ...entry, commands }
}

/** The texts of a message. */
interface Words {
  readonly subject?: string | undefined
  readonly text?: string | null | undefined
  readonly html?: string | null | undefined
}

function withWordsOf(mail: StoredMessage, { subject, text, html }: Words): Words {
  const words = mail.text ?? (mail.html === null ? '' : textOfHtml(mail.html))
  const date = formatMailDate(parseInstant(mail.created_at) as number)
  const to = mail.to.join(', ')
  const from = `On ${date}, ${mail.from} wrote:`
  const quoted = words
    .trimEnd()
    .replace(/^(?=>)/gm, '>')
    .replace(/^(?!>)/gm, '> ')
  const plain = {
    subject: mail.subject,
    text: words,
    quote: `${from}\n${quoted}`,
    quoted,
    from: mail.from,
    to,
    date,
  }
  const cite = `<div>${inHtml(from)}</div><blockquote type="cite">${mail.html ?? inHtml(words)}</blockquote>`
  const marked = {
    ...{ subject: inHtml(mail.subject), text: inHtml(words), quote: cite, quoted: inHtml(quoted) },
    ...{ from: inHtml(mail.from), to: inHtml(to), date },
  }
  return {
    ...(subject !== undefined && { subject: filled(subject, plain).replace(/\s+/g, ' ') }),
    ...(text !== undefined && { text: text && filled(text, plain) }),
    ...(html !== undefined && { html: html && filled(html, marked) }),
  }
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(sentFields, (_, name: string) => values[name] ?? '')
}

function inHtml(text: string): string {
  return escapeHtml(text).replace(/\r?\n/g, '<br>')
}

/** Returns the fields of a reply: it comes from the first recipient and goes to the agent, unless the story says otherwise. */
function answerTo(
  mail: StoredMessage,
  { from, to: stated }: Pick<CommandOf<'receive-message'>, 'from' | 'to'>,
  store: Pick<MailboxStore, 'get' | 'rows' | 'messages'>,
) {
  const sent = store.get('message', mail.id)
  const { identity_id = '', thread_id } = sent ?? { thread_id: mail.thread_id }
  const address = mail.to[0] ?? ''
  const earlier = store.rows('message', store.messages(thread_id).page({ order: 'created' }))
  const writer = earlier.findLast((message) => {
    return (
      message.direction === 'inbound' && addressesOf(message).from.some((one) => sameAddress(one, address))
    )
  })
  const to = stated.length > 0 ? stated : [store.get('identity', identity_id)?.mailbox_address ?? mail.from]
  return {
    identity_id,
    from: from || (writer?.from ?? formatMailbox({ name: '', address })),
    to,
    in_reply_to: mail.id,
  }
}
