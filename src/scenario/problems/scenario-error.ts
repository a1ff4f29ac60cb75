/** One thing wrong with a scenario. */
export interface ScenarioProblem {
  /** Where it stands, as far as it is known. */
  readonly line?: number
  readonly column?: number
  /** The key at fault, e.g. `identities[0].handle`. */
  readonly key: string
  /** What was found and what would be right. */
  readonly message: string
}

/** A scenario that cannot be used: every problem in it, and nothing of it loaded. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  readonly code: 'not-found' | 'unreadable' | 'syntax' | 'invalid'
  /** Path of the file, or the scenario's name where there is no file. */
  readonly source: string
  readonly problems: readonly ScenarioProblem[]

  /** `cause` is what code of the scenario threw, where it is such code that went wrong. */
  constructor(
    code: ScenarioError['code'],
    source: string,
    problems: readonly ScenarioProblem[],
    cause?: ErrorOptions,
  ) {
    super(problems.map((problem) => describe(source, problem)).join('\n'), cause)
    this.code = code
    this.source = source
    this.problems = problems
  }
}

function describe(source: string, { line, column, key, message }: ScenarioProblem): string {
  const place = [source, line, column].filter((part) => part !== undefined).join(':')
  return key === '' ? `${place}: ${message}` : `${place}: ${key}: ${message}`
}
