import { isJsonObject } from '../../../base/json.js'
import type { z } from '../../../base/schema.js'
import type { SchemaObject } from '../../../contract/openapi/document.js'
import { schemaOf } from '../../../contract/openapi/schemas.js'
import type { Surface } from '../../mcp/surface.js'
import { errorResult, type Tool, type ToolArguments } from '../../mcp/tool.js'
import type { Simulator } from '../../simulator/simulator.js'
import { assumptionRoutes } from './assumptions.js'
import { ControlCalls } from './calls.js'
import { clockRoutes } from './clock.js'
import { rejectionOf } from './control-error.js'
import { faultRoutes } from './faults.js'
import { journalRoutes } from './journal.js'
import { mailRoutes } from './mail.js'
import type { ControlRoute } from './route.js'
import { worldRoutes } from './worlds.js'

const routes = [
  ...mailRoutes,
  ...clockRoutes,
  ...faultRoutes,
  ...worldRoutes,
  ...journalRoutes,
  ...assumptionRoutes,
]

/** A route of the control API as a tool. */
interface ControlTool {
  readonly name: string
  readonly route: string
  readonly title: string
  /** What the summary of the route omits. */
  readonly hint?: string
  /** Arguments that a call does not have to name. */
  readonly defaults?: ToolArguments
}

const controlTools: readonly ControlTool[] = [
  { name: 'sim_receive', route: 'POST /messages', title: 'Receive mail' },
  { name: 'sim_advance', route: 'POST /clock', title: 'Advance the clock' },
  { name: 'sim_add_fault', route: 'POST /faults', title: 'Add a fault' },
  { name: 'sim_reset', route: 'POST /reset', title: 'Reset the world' },
  {
    name: 'sim_journal',
    route: 'GET /journal',
    title: 'Show the journal',
    hint: 'Shows 100 requests without bodies by default; `since` continues after one of them.',
    defaults: { limit: 100, bodies: 'false' },
  },
  {
    name: 'sim_assumptions',
    route: 'GET /reliances',
    title: 'List gaps',
    hint: 'A gap is a point that the interface of the service leaves open.',
  },
]

/** Creates the tools for those who test an agent: each does the same as a route of the control API. */
export function createControlSurface(first: Simulator): Surface {
  const calls = new ControlCalls(first)
  const tools = controlTools.map((tool) => createTool(tool, calls))
  return { name: 'agent-mailbox-sim', title: 'Controls of a simulated mailbox', tools: () => tools }
}

const worldArgument = { type: 'string', description: 'The id of the world; the first world by default.' }

function createTool(declared: ControlTool, calls: ControlCalls): Tool {
  const { name, title, hint, defaults = {} } = declared
  const route = routes.find(({ method, path }) => `${method} ${path}` === declared.route)
  if (!route) throw new TypeError(`There is no route ${declared.route}.`)
  const { properties = {}, ...schema } = inputOf(route)
  const isRead = route.method === 'GET'
  return {
    name,
    title,
    description: hint === undefined ? route.summary : `${route.summary} ${hint}`,
    inputSchema: { ...schema, type: 'object', properties: { ...properties, world: worldArgument } },
    annotations: { readOnlyHint: isRead, idempotentHint: isRead, destructiveHint: name === 'sim_reset' },
    async call({ world, ...input }, { base, header }) {
      try {
        const all = { ...defaults, ...input }
        const id = world ?? header('x-sim-world')
        const call = await calls.prepare(route, {
          world: id === null || id === undefined ? undefined : String(id),
          origin: base,
          parameters: {},
          query: isRead ? textsOf(all) : {},
          isAwaited: () => true,
          readBody: async () => (isRead ? undefined : all),
        })
        const shown = await calls.perform(route, call)
        const content = [{ type: 'text', text: JSON.stringify(shown) } as const]
        return isJsonObject(shown) ? { content, structuredContent: shown } : { content }
      } catch (error) {
        const rejection = rejectionOf(error)
        if (!rejection) throw error
        const { code, message } = rejection
        return errorResult(JSON.stringify({ error: { code, message } }))
      }
    },
  }
}

function inputOf({ body, query }: ControlRoute): SchemaObject {
  return body || query ? schemaOf((body ?? query) as z.ZodType) : {}
}

/** Returns arguments in the form that a query has. */
function textsOf(input: ToolArguments): Record<string, string> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]))
}
