import type { Extensions } from '../../contract/extensions.js'
import type { Service } from '../../service/requests/service.js'
import type { World } from '../../service/world/world.js'
import { createAttachmentTool } from './attachment-tool.js'
import { callOperation, serviceRequest } from './calls.js'
import { instructionsFor } from './instructions.js'
import { describeOperations } from './operation-tools.js'
import type { Caller, Tool } from './tool.js'
import { chosenTools, type ToolOptions, toldOf } from './tool-options.js'

/** What is at one address: the tools, and the mailboxes as resources if the tools are those of the service. */
export interface Surface {
  /** The name that clients show. */
  readonly name: string
  readonly title: string
  tools(caller: Pick<Caller, 'key'>): readonly Tool[]
  /** Returns what a client with a key is told at first. */
  instructions?(key: string | undefined): string | undefined
  readonly service?: Service
}

/**
 * Creates the surface for agents: every operation of the service as a tool, in the world that the key selects.
 * @throws ToolError for a choice of tools that fits none
 */
export function createSurface(service: Service, options: ToolOptions = {}): Surface {
  const known = new WeakMap<Extensions, Map<string, readonly Tool[]>>()
  const create = ({ extensions, assumptions }: World): readonly Tool[] => {
    const operations = describeOperations(extensions, assumptions).map((tool): Tool => {
      return { ...tool, call: (input, caller) => callOperation(tool, input, caller, service, options) }
    })
    const files = createAttachmentTool(service)
    const all = operations.some(({ name }) => name === files.name) ? operations : [...operations, files]
    return chosenTools(all, options.tools).map((tool) => toldOf(tool, options.schemas))
  }
  const surface: Surface = {
    name: 'agent-mailbox',
    title: 'Agent mailbox',
    service,
    tools({ key }) {
      const { world } = service.worlds.find(key)
      const ofWorld = known.get(world.extensions) ?? new Map<string, readonly Tool[]>()
      known.set(world.extensions, ofWorld)
      // The only assumption on which descriptions depend.
      const filters = world.assumptions['webhooks.filter-names']
      const tools = ofWorld.get(filters) ?? create(world)
      ofWorld.set(filters, tools)
      return tools
    },
    instructions(key) {
      const caller = { key, base: '', signal: new AbortController().signal, header: () => null }
      const own = service.presentOrganizationFor(serviceRequest('GET', '', caller))
      const names = surface.tools({ key }).map(({ name }) => name)
      return own && instructionsFor(own, names)
    },
  }
  // So that a wrong choice is refused before the first client comes.
  if (options.tools) surface.tools({ key: undefined })
  return surface
}
