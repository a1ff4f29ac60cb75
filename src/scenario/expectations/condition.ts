import type { ExpectedValue, RequestCondition, ValueCondition } from '../../world/index.js'
import type { ScenarioPath } from '../building/building.js'
import type { ScenarioExpectation } from '../format/index.js'
import type { Cast } from '../timeline/cast.js'

type Where = NonNullable<ScenarioExpectation['where']>
type Matcher = Exclude<Where['path'], undefined>
type Parameter = NonNullable<Where['query']>[string]

/** Which requests are meant. */
export function conditionOf(
  cast: Cast,
  { path, query, body, status }: Where,
  at: ScenarioPath,
): RequestCondition {
  const parameters = Object.entries(query ?? {}).map(([name, parameter]) => {
    return [name, parameterOf(cast, parameter, [...at, 'query', name])] as const
  })
  const fields = Object.entries(body ?? {}).map(([name, matcher]) => [name, wantedOf(matcher)] as const)
  return {
    ...(path !== undefined && { path: wantedOf(path) }),
    ...(query && { query: Object.fromEntries(parameters) }),
    ...(body && { body: Object.fromEntries(fields) }),
    ...(status !== undefined && { status }),
  }
}

function parameterOf(cast: Cast, parameter: Parameter, path: ScenarioPath): ExpectedValue {
  if (typeof parameter !== 'object' || parameter === null || parameter.thread === undefined) {
    return wantedOf(parameter)
  }
  const { thread: key, identity } = parameter
  const owner = identity === undefined ? undefined : cast.existingAgent(identity, [...path, 'identity'])
  const found = identity === undefined || owner ? cast.thread(key, owner, [...path, 'thread']) : undefined
  return found ? { threadId: found.id, key } : null
}

/** A value, or what is said of it. */
export function wantedOf(matcher: Matcher): Exclude<ExpectedValue, { readonly threadId: string }> {
  if (typeof matcher !== 'object' || matcher === null) return matcher
  const { contains, matches, at_least: atLeast, at_most: atMost } = matcher
  const condition: ValueCondition = {
    ...(contains !== undefined && { contains }),
    ...(matches !== undefined && { matches }),
    ...(atLeast !== undefined && { atLeast }),
    ...(atMost !== undefined && { atMost }),
  }
  return condition
}
