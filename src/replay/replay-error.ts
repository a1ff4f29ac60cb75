/** A replay that did not come to its end. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
  readonly code: 'interrupted' | 'not-ready'

  constructor(code: ReplayError['code'], message: string) {
    super(message)
    this.code = code
  }
}
