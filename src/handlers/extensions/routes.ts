import type { Extensions } from '../../contract/extensions.js'
import type { Operation } from '../operation.js'
import { matchPath, type Route } from '../routes.js'
import { serviceOperation } from './perform.js'

/** The operations of extensions, as requests are compared with them. */
export class ExtensionRoutes {
  readonly #operations: readonly Operation[]
  /** Those that stand in for documented operations, by id. */
  readonly #replacing: ReadonlyMap<string, Operation>

  constructor({ operations }: Extensions) {
    const all = operations.map((operation) => ({
      operation: serviceOperation(operation),
      replace: operation.replace,
    }))
    // `/threads/search` is meant before `/threads/{id}`.
    const further = all.filter(({ replace }) => !replace).map(({ operation }) => operation)
    this.#operations = further.sort((a, b) => parametersIn(a) - parametersIn(b))
    this.#replacing = new Map(
      all.flatMap(({ operation, replace }) => (replace ? [[operation.id, operation]] : [])),
    )
  }

  /** The operations at a path, whatever their method. */
  at(path: string): Route[] {
    return this.#operations.flatMap((operation) => {
      const params = matchPath(operation.path, path)
      return params ? [{ operation, params }] : []
    })
  }

  /** What answers a documented operation: itself, or what stands in for it. */
  insteadOf(operation: Operation): Operation {
    return this.#replacing.get(operation.id) ?? operation
  }

  /** Methods and paths, for near misses. */
  get list(): readonly Operation[] {
    return this.#operations
  }
}

function parametersIn({ path }: Operation): number {
  return path.split('{').length - 1
}
