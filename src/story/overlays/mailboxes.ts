import type { ScenarioInput } from '../format/scenario.js'

/** How many threads are added to mailboxes, or removed, by the handles of their agents. */
export type MailboxSizes = Readonly<Record<string, number>>

/** An identity in its written form. */
export type WrittenIdentity = NonNullable<ScenarioInput['identities']>[number]

/** Returns a scenario with another number of threads in mailboxes; those to which other parts refer stay. */
export function withMailboxes(document: ScenarioInput, sizes: MailboxSizes): ScenarioInput {
  const { identities = [] } = document
  return { ...document, identities: identities.map((identity) => sized(identity, sizes[identity.handle])) }
}

/** What fills a mailbox without generated mail: one question of a person each, so that nothing but its size changes. */
const ordinary = {
  threads: 0,
  messages: 1,
  kinds: ['support', 'sales'],
} satisfies WrittenIdentity['generate']

function sized(identity: WrittenIdentity, added: number | undefined): WrittenIdentity {
  if (added === undefined) return identity
  const { generate, ...rest } = identity
  const threads = (generate?.threads ?? 0) + added
  if (threads > 0) return { ...rest, generate: { ...(generate ?? ordinary), threads } }
  // Removes written threads that nothing refers to, the last first.
  let surplus = -threads
  const written = (identity.threads ?? [])
    .toReversed()
    .filter(({ key }) => key !== undefined || surplus-- <= 0)
  return { ...rest, threads: written.toReversed() }
}
