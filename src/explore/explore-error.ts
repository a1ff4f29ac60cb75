/** An exploration that did not come to its end. */
export class ExploreError extends Error {
  override readonly name = 'ExploreError'
  readonly code: 'interrupted'

  constructor(code: ExploreError['code'], message: string) {
    super(message)
    this.code = code
  }
}
