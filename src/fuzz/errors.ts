/** A search that came to no result. */
export class FuzzError extends Error {
  override readonly name = 'FuzzError'
  /** `nothing-asked`: no request came that could be judged; `already-fails`: the client fails without any change. */
  readonly code: 'interrupted' | 'nothing-asked'

  constructor(code: FuzzError['code'], message: string) {
    super(message)
    this.code = code
  }
}
