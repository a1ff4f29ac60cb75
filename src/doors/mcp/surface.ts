import type { Extensions } from '../../contract/index.js'
import type { Service } from '../../service/requests/index.js'
import { callOperation } from './calls.js'
import { describeOperations } from './operation-tools.js'
import type { Caller, Tool } from './tool.js'

/** What is at one address: the tools, and the mailboxes as resources if the tools are those of the service. */
export interface Surface {
  /** The name that clients show. */
  readonly name: string
  readonly title: string
  tools(caller: Caller): readonly Tool[]
  readonly service?: Service
}

/** Creates the surface for agents: every operation of the service as a tool, in the world that the key selects. */
export function createSurface(service: Service): Surface {
  const known = new WeakMap<Extensions, Map<string, readonly Tool[]>>()
  return {
    name: 'agent-mailbox',
    title: 'Agent mailbox',
    service,
    tools({ key }) {
      const { extensions, readings } = service.worlds.find(key).world
      const ofWorld = known.get(extensions) ?? new Map<string, readonly Tool[]>()
      known.set(extensions, ofWorld)
      // The only reading on which descriptions depend.
      const filters = readings['webhooks.filter-names']
      const tools =
        ofWorld.get(filters) ??
        describeOperations(extensions, readings).map((tool): Tool => {
          return { ...tool, call: (input, caller) => callOperation(tool, input, caller, service) }
        })
      ofWorld.set(filters, tools)
      return tools
    },
  }
}
