/** An exploration that came to no result. */
export class ExploreError extends Error {
  override readonly name = 'ExploreError'
  /** `nothing-asked`: the command passed without a request that could be judged. */
  readonly code: 'interrupted' | 'nothing-asked'

  constructor(code: ExploreError['code'], message: string) {
    super(message)
    this.code = code
  }
}
