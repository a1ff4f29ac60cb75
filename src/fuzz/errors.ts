import { CodedError } from '../world/errors.js'

/** A search that came to no result. `nothing-asked`: no request came that could be judged. */
export class FuzzError extends CodedError<'interrupted' | 'nothing-asked'> {
  override readonly name = 'FuzzError'
}
