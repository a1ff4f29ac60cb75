import type { AnyOperationName } from '../../contract/operations.js'

/** A request of a client, by its number among those of its operation. */
export interface RequestNumber {
  readonly request: AnyOperationName
  readonly nth: number
}
