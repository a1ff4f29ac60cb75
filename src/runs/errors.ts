import { CodedError } from '../service/model/errors.js'

/** Thrown for a run of a client without a meaningful end. `nothing-asked`: no request came that could be judged. */
export class RunError extends CodedError<
  'interrupted' | 'not-ready' | 'nothing-asked' | 'no-results' | 'before-failed'
> {
  override readonly name = 'RunError'
}
