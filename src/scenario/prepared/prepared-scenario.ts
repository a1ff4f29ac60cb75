import type { ModelName, Rows, Unplaced } from '../../model/index.js'
import type { ReadingsLayer } from '../../world/index.js'
import type { LoadedScenario } from '../opened-scenario.js'

/** A shipped scenario as it was loaded when the package was built, in JSON. */
export interface PreparedScenario {
  /** The text it was loaded from: with another one, it is another scenario. */
  readonly text: string
  /** The other files and folders it was made of, by their paths in the package, with what each was then. */
  readonly sources: readonly (readonly [path: string, state: string])[]
  /** The readings it brings itself. */
  readonly layers: readonly ReadingsLayer[]
  readonly loaded: Omit<LoadedScenario, 'base'>
  /** The rows of each model in their order. */
  readonly rows: { readonly [M in ModelName]: readonly Unplaced<Rows[M]>[] }
}

/** The words of generated messages by their body keys. They lie apart, since few are ever read. */
export type PreparedBodies = Readonly<Record<string, PreparedBody>>

/** A text, HTML, and the snippet of what has no text, since that of HTML takes long. */
export type PreparedBody = readonly [text: string | null, html: string | null, snippet?: string]

/** Where a prepared scenario lies, and the words of its messages. */
export function preparedFiles(name: string): { readonly scenario: string; readonly bodies: string } {
  return { scenario: `${name}.json`, bodies: `${name}.bodies.json` }
}
