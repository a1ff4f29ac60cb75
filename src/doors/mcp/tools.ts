import type { Extensions } from '../../contract/extensions.js'
import type { IdentityRow } from '../../service/model/rows.js'
import type { Service } from '../../service/requests/service.js'
import type { World } from '../../service/world/world.js'
import { storyOf } from '../../story/story.js'
import { attachmentTool, createAttachmentTool } from './attachment-tool.js'
import { callOperation, serviceRequest } from './calls.js'
import { describeOperations } from './operation-tools.js'
import { chosenTools, type Tool, type ToolOptions } from './tool.js'

/** Every operation of a service as a tool, in the world that a key selects, and the tool that reads attachments. */
export class Tools {
  readonly service: Service
  readonly #options: ToolOptions
  /** The tools for the extensions of a world, and for the only assumption on which descriptions depend. */
  readonly #known = new WeakMap<Extensions, Map<string, readonly Tool[]>>()

  /** @throws ToolError for a choice of tools that fits none */
  constructor(service: Service, options: ToolOptions = {}) {
    this.service = service
    this.#options = options
    if (options.tools) this.of(undefined)
  }

  /** Returns the tools that a client with a key is offered. */
  of(key: string | undefined): readonly Tool[] {
    const { world } = this.service.worlds.find(key)
    const ofExtensions = this.#known.get(world.extensions) ?? new Map<string, readonly Tool[]>()
    this.#known.set(world.extensions, ofExtensions)
    const filters = world.assumptions['webhooks.filter-names']
    const tools = ofExtensions.get(filters) ?? this.#create(world)
    ofExtensions.set(filters, tools)
    return tools
  }

  /** Returns what a client with a key is told at first; undefined if the service refuses the key. */
  async instructions(key: string | undefined): Promise<string | undefined> {
    const caller = { key, base: '', signal: new AbortController().signal }
    const own = await this.service.organizationFor(serviceRequest('GET', '', caller))
    const names = this.of(key).map(({ name }) => name)
    return own && instructionsFor(own, names)
  }

  #create({ extensions, assumptions }: World): readonly Tool[] {
    const operations = describeOperations(extensions, assumptions).map((tool): Tool => {
      return { ...tool, call: (input, caller) => callOperation(tool, input, caller, this.service) }
    })
    const files = createAttachmentTool(this.service)
    const all = operations.some(({ name }) => name === files.name) ? operations : [...operations, files]
    return chosenTools(all, this.#options.tools)
  }
}

/** The number of further mailboxes that are named. */
const named = 10

/** The mailboxes that a key gives access to: those of an organization in a world. */
type OwnMailboxes = NonNullable<Awaited<ReturnType<Service['organizationFor']>>>

/** Returns what a client is told at first: whose mailbox this is, and how the tools that it is offered are used. */
function instructionsFor(own: OwnMailboxes, tools: readonly string[]): string {
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
