/** Why there is no figure, and what to do; for a person, without a stack trace. The exit status is 2 for wrong usage. */
export class CannotMeasure extends Error {
  constructor(message, exitStatus = 1) {
    super(message)
    this.exitStatus = exitStatus
  }
}
