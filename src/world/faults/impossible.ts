import { operationNames, operations } from '../../contract/operations.js'
import type { Fault } from './fault.js'
import { pathPattern } from './path-pattern.js'

/** Why a rule can never disturb anything; undefined where it can. `handles` are those of the world's agents. */
export function whyNeverHit(fault: Fault, handles: readonly string[]): string | undefined {
  if (fault.probability === 0) return 'with a probability of 0 it never hits'
  const { handle } = fault
  if (handle !== undefined && !handles.includes(handle)) return `no agent has the handle "${handle}"`
  return fault.operation === undefined ? whyNoPath(fault) : whyNotOperation(fault)
}

function whyNotOperation({ operation = 'threads.list', method, path, handle }: Fault): string | undefined {
  const documented = operations[operation]
  if (method !== undefined && method !== documented.method) {
    return `${operation} is ${documented.method}, never ${method}`
  }
  if (path === undefined || pathMeets(path, documented.path, handle)) return undefined
  return `${operation} is at ${documented.path}, which ${path} never fits`
}

/** What is served, and disturbed, is below /api/v1 and /attachments. */
function whyNoPath({ path, method, handle }: Fault): string | undefined {
  if (path === undefined) return undefined
  const beginning = path.split('*', 1)[0] as string
  const served = ['/api/v1/', '/attachments/']
  const whole = path.includes('*')
  const possible = served.some(
    (prefix) => beginning.startsWith(prefix) || (whole && prefix.startsWith(beginning)),
  )
  if (!possible && path !== '/api/v1') return `nothing is served at ${path}: the service is below /api/v1`
  if (handle === undefined) return undefined
  const about = operationNames.some((name) => pathMeets(path, operations[name].path, handle))
  return about
    ? undefined
    : `no request for ${path} is about an agent${method === undefined ? '' : `, whatever the method`}`
}

/** Whether a pattern fits some path of a template such as `/api/v1/identities/{handle}`. */
function pathMeets(pattern: string, template: string, handle: string | undefined): boolean {
  const [before, after] = template.split('{handle}')
  if (after === undefined) return pathPattern(pattern).test(template)
  if (handle !== undefined) {
    return [handle, `@${handle}`].some((name) => pathPattern(pattern).test(`${before}${name}${after}`))
  }
  const beginning = pattern.split('*', 1)[0] as string
  if (pattern.includes('*'))
    return beginning.startsWith(before as string) || (before as string).startsWith(beginning)
  return pattern.startsWith(before as string) && !pattern.slice((before as string).length).includes('/')
}
