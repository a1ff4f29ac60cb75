import { parseMailbox } from '../../mail/index.js'
import type { IdentityRow } from '../../model/index.js'
import type { CommandOf } from '../../world/index.js'
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
  const recipients = recipientsOf(cast, outcome.recipient, path)
  const mail = findMail(cast, outcome, path)
  if (!mail) return () => ({ commands: [] })
  const { owner, ...named } = mail
  return (name, turn) => {
    const next = recipients[turn % recipients.length]
    const recipient = next?.(owner, `${name}/recipient`)
    return { commands: [{ type, ...named, ...(recipient !== undefined && { recipient }) }] }
  }
}

/** The mail that is meant: a message, or the latest that was sent in a thread by then. */
type Mail = { readonly owner: IdentityRow } & (
  | { readonly message_id: string }
  | { readonly thread_id: string }
)

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
  return found && { owner: found.identity, message_id: found.id }
}

/** A recipient, templates filled in. */
type Recipient = (owner: IdentityRow, name: string) => string

/** The recipients, to be taken one after another; what is no address, and no template, is told at once. */
function recipientsOf(cast: Cast, recipient: Outcome['recipient'], path: ScenarioPath): readonly Recipient[] {
  return [recipient ?? []].flat().map((text, index) => {
    const own = [...path, 'recipient', ...(Array.isArray(recipient) ? [index] : [])]
    if (!text.includes('{{')) {
      const address = addressIn(cast, text, own)
      return () => address
    }
    return (owner, name) => addressIn(cast, fill(cast.inLocaleOf(owner), text, name, own), own)
  })
}

function addressIn({ building }: Cast, text: string, path: ScenarioPath): string {
  const mailbox = parseMailbox(text)
  if (!mailbox) building.problem(path, `expected an email address, found "${text}"`)
  return mailbox?.address ?? text
}
