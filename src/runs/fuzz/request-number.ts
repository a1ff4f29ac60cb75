import type { AnyOperationName } from '../../contract/index.js'

/** A request of a client, by its number among those of its operation. */
export interface RequestNumber {
  readonly request: AnyOperationName
  readonly nth: number
}
