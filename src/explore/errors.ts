import { CodedError } from '../world/errors.js'

/** An exploration that came to no result. `nothing-asked`: the command passed without a request that could be judged. */
export class ExploreError extends CodedError<'interrupted' | 'nothing-asked'> {
  override readonly name = 'ExploreError'
}
