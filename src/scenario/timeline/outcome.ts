import { parseMailbox } from '../../mail/index.js'
import type { IdentityRow } from '../../model/index.js'
import { type AddressedMail, type CommandOf, whyNoRecipient } from '../../world/index.js'
import { fill, type ScenarioPath } from '../building/building.js'
import type { ScenarioTimelineEntry } from '../format/index.js'
import type { Perform } from './actions.js'
import type { Cast } from './cast.js'

type Outcome = NonNullable<ScenarioTimelineEntry['bounce']>
type OutcomeCommand = CommandOf<'deliver-message'> | CommandOf<'bounce-message'>

/** Mail that an agent sent reaches its recipient, or comes back. */
export function prepareOutcome(
  cast: Cast,
  type: OutcomeCommand['type'],
  outcome: Outcome,
  path: ScenarioPath,
): Perform {
  const mail = findMail(cast, outcome, path)
  const recipients = recipientsOf(cast, outcome, mail?.sent, path)
  if (!mail) return () => ({ commands: [] })
  const { owner, sent: _, ...named } = mail
  return (name, turn) => {
    const next = recipients[turn % recipients.length]
    const recipient = next?.(owner, `${name}/recipient`)
    return { commands: [{ type, ...named, ...(recipient !== undefined && { recipient }) }] }
  }
}

/** The mail that is meant: a message, or the latest that was sent in a thread by then. */
type Mail = {
  readonly owner: IdentityRow
  /** Whom it goes to, where that is sure: somebody else may send the latest mail of a thread. */
  readonly sent?: AddressedMail | undefined
} & ({ readonly message_id: string } | { readonly thread_id: string })

function findMail(
  cast: Cast,
  { thread: key, identity, message }: Outcome,
  path: ScenarioPath,
): Mail | undefined {
  const named = identity === undefined ? undefined : cast.existingAgent(identity, [...path, 'identity'])
  if (identity !== undefined && !named) return undefined
  const thread = key === undefined ? undefined : cast.thread(key, named, [...path, 'thread'])
  if (key !== undefined && !thread) return undefined
  if (message === undefined) return thread && { owner: thread.identity, thread_id: thread.id }
  const owner = thread?.identity ?? named
  const found = cast.message({ key: message, thread: key, owner }, [...path, 'message'])
  return found && { owner: found.identity, sent: found.sent, message_id: found.id }
}

/** A recipient, templates filled in. */
type Recipient = (owner: IdentityRow, name: string) => string

/** The recipients, to be taken one after another; what is wrong with one that is no template is told at once. */
function recipientsOf(
  cast: Cast,
  outcome: Outcome,
  sent: AddressedMail | undefined,
  path: ScenarioPath,
): readonly Recipient[] {
  const { recipient } = outcome
  return [recipient ?? []].flat().map((text, index) => {
    const own = [...path, 'recipient', ...(Array.isArray(recipient) ? [index] : [])]
    const check = createRecipientCheck(cast, outcome, sent, own)
    if (!text.includes('{{')) {
      const address = check(text)
      return () => address
    }
    return (owner, name) => check(fill(cast.inLocaleOf(owner), text, name, own))
  })
}

/** Takes the address out of a recipient; what is wrong with it is told once, however often it happens. */
function createRecipientCheck(
  { building }: Cast,
  { message }: Outcome,
  sent: AddressedMail | undefined,
  path: ScenarioPath,
): (text: string) => string {
  let isTold = false
  return (text) => {
    const address = parseMailbox(text)?.address
    const wrong =
      address === undefined ? `expected an email address, found "${text}"` : whyNot(message, sent, address)
    if (wrong !== undefined && !isTold) building.problem(path, wrong)
    isTold ||= wrong !== undefined
    return address ?? text
  }
}

function whyNot(
  message: string | undefined,
  sent: AddressedMail | undefined,
  address: string,
): string | undefined {
  const why = sent && whyNoRecipient(sent, address)
  return why && `the message "${message}" ${why}`
}
