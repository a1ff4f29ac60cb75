import { type OperationName, operationNames, operations } from '../contract/operations.js'

/** An operation a path belongs to, with the `{handle}` the path gives. */
export interface Route {
  readonly operation: OperationName
  readonly handle: string
}

const identityPrefix = '/api/v1/identities/'

/** The `{handle}` a path gives an operation (empty where it has none), or undefined for another's path. */
export function handleInPath(operation: OperationName, path: string): string | undefined {
  const template = operations[operation].path
  if (!template.endsWith('{handle}')) return path === template ? '' : undefined
  if (!path.startsWith(identityPrefix)) return undefined
  const handle = path.slice(identityPrefix.length)
  return handle === '' || handle.includes('/') ? undefined : handle
}

/** The operations documented at a path, by whatever method. */
export function routesAt(path: string): Route[] {
  return operationNames.flatMap((operation) => {
    const handle = handleInPath(operation, path)
    return handle === undefined ? [] : [{ operation, handle }]
  })
}
