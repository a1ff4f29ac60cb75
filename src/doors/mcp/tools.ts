import type { Extensions } from '../../contract/extensions.js'
import type { Service } from '../../service/requests/service.js'
import type { World } from '../../service/world/world.js'
import { createAttachmentTool } from './attachment-tool.js'
import { callOperation, serviceRequest } from './calls.js'
import { instructionsFor } from './instructions.js'
import { describeOperations } from './operation-tools.js'
import type { Tool } from './tool.js'
import { chosenTools, type ToolOptions } from './tool-options.js'

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
