import type { IdentityRow } from '../../service/model/rows.js'
import type { Service } from '../../service/requests/service.js'
import { storyOf } from '../../story/story.js'

/** The number of further mailboxes that are named. */
const named = 10

/** The mailboxes that a key gives access to: those of an organization in a world. */
type OwnMailboxes = NonNullable<Awaited<ReturnType<Service['organizationFor']>>>

/** Returns what a client is told at first: whose mailbox this is, and how the tools that it is offered are used. */
export function instructionsFor(own: OwnMailboxes, tools: readonly string[]): string {
  const [first, ...others] = identitiesOf(own, named + 2)
  const offers = (name: string): boolean => tools.includes(name)
  const sends = tools.filter((name) => /^messages_(send|reply|reply_all|forward)$/.test(name))
  const { world, organization } = own
  // It is for the agent under test, which is one of the first organization.
  const { task } = organization.id === world.store.firstOrganization().id ? storyOf(world) : {}
  const lines = [
    ...(first
      ? [`Your mailbox is ${first.mailbox_address}; your agent handle is "${first.agent_handle}".`]
      : []),
    ...(task === undefined ? [] : [`Your task: ${task}`]),
    ...(others.length > 0 ? [`Other mailboxes of your organization: ${listed(others)}.`] : []),
    'Arguments named `agent` or `handle` take an agent handle, not an address.',
    ...(offers('threads_list')
      ? [
          'threads_list returns at most `limit` conversations; for the next ones, call it again with a larger `offset` until it returns none.',
        ]
      : []),
    ...(offers('messages_list')
      ? ['messages_list with the `id` of a thread as `thread_id` returns the messages of one conversation.']
      : []),
    ...(offers(attachmentTool)
      ? [`${attachmentTool} returns the contents of a file that a message lists in \`attachments\`.`]
      : []),
    ...(offers('messages_reply')
      ? [
          'messages_reply answers the sender of the message `message_id`, in its conversation; leave out `to` and `subject` to have them filled in.',
        ]
      : []),
    ...(offers('messages_reply_all') ? ['messages_reply_all answers its other recipients as well.'] : []),
    ...(offers('messages_send') ? ['messages_send writes to the addresses in `to`.'] : []),
    ...(sends.length === 0 ? ['No tool sends mail.'] : []),
  ]
  return lines.join('\n')
}

/** The name of the tool that reads attachments. */
export const attachmentTool = 'attachments_read'

function listed(others: readonly IdentityRow[]): string {
  const shown = others.slice(0, named).map((one) => `${one.mailbox_address} ("${one.agent_handle}")`)
  return `${shown.join(', ')}${others.length > named ? ' and more' : ''}`
}

/** Returns the oldest identities of an organization. */
function identitiesOf({ world, organization }: OwnMailboxes, limit: number): readonly IdentityRow[] {
  const list = world.store.identities(organization.id)
  const page = list.page({ order: 'created', offset: 0, limit: Math.min(limit, list.count) })
  return world.store.rows('identity', page)
}
