import type { Assumptions } from '../../contract/gaps.js'
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
  /** The tools of the worlds with some assumptions, on which descriptions depend, and with the extensions that have them. */
  readonly #known = new WeakMap<Assumptions, readonly Tool[]>()

  /** @throws ToolError for a choice of tools that fits none */
  constructor(service: Service, options: ToolOptions = {}) {
    this.service = service
    this.#options = options
    if (options.tools) this.of(undefined)
  }

  /** Returns the tools that a client with a key is offered. */
  of(key: string | undefined): readonly Tool[] {
    const { world } = this.service.worlds.find(key)
    const tools = this.#known.get(world.assumptions) ?? this.#create(world)
    this.#known.set(world.assumptions, tools)
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

/** How tools are used, by their names. */
const uses: Readonly<Record<string, string>> = {
  threads_list:
    'returns at most `limit` conversations; for the next ones, call it again with a larger `offset` until it returns none.',
  messages_list: 'with the `id` of a thread as `thread_id` returns the messages of one conversation.',
  [attachmentTool]: 'returns the contents of a file that a message lists in `attachments`.',
  messages_reply:
    'answers the sender of the message `message_id`, in its conversation; leave out `to` and `subject` to have them filled in.',
  messages_reply_all: 'answers its other recipients as well.',
  messages_send: 'writes to the addresses in `to`.',
}

/** The mailboxes that a key gives access to: those of an organization in a world. */
type OwnMailboxes = NonNullable<Awaited<ReturnType<Service['organizationFor']>>>

/** Returns what a client is told at first: whose mailbox this is, and how the tools that it is offered are used. */
function instructionsFor({ world, organization }: OwnMailboxes, tools: readonly string[]): string {
  const list = world.store.identities(organization.id)
  const ids = list.page({ order: 'created', offset: 0, limit: Math.min(named + 2, list.count) })
  const [first, ...others] = world.store.rows('identity', ids)
  // It is for the agent under test, which is one of the first organization.
  const { task } = organization.id === world.store.firstOrganization().id ? storyOf(world) : {}
  const lines: string[] = []
  if (first) {
    const handle = `your agent handle is "${first.agent_handle}"`
    lines.push(`Your mailbox is ${first.mailbox_address}; ${handle}.`)
  }
  if (task !== undefined) lines.push(`Your task: ${task}`)
  if (others.length > 0) {
    const shown = others.slice(0, named).map((one) => `${one.mailbox_address} ("${one.agent_handle}")`)
    const more = others.length > named ? ' and more' : ''
    lines.push(`Other mailboxes of your organization: ${shown.join(', ')}${more}.`)
  }
  lines.push('Arguments named `agent` or `handle` take an agent handle, not an address.')
  for (const [name, use] of Object.entries(uses)) if (tools.includes(name)) lines.push(`${name} ${use}`)
  if (!tools.some((name) => /^messages_(send|reply|reply_all|forward)$/.test(name))) {
    lines.push('No tool sends mail.')
  }
  return lines.join('\n')
}
