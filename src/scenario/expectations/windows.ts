import { type OperationName, operationNames } from '../../contract/operations.js'
import { type Mark, parseDuration, type StoryWindow } from '../../world/index.js'
import type { ScenarioPath } from '../building/building.js'
import type { ScenarioExpectation } from '../format/index.js'
import type { Cast } from '../timeline/cast.js'

/** Finds what expectations come before and after. */
export class Windows {
  readonly #cast: Cast
  readonly #places: ReadonlyMap<string, number>
  readonly #expectations: ReadonlyMap<string, number>

  /** `places` says where the entries of the timeline first happen, by key. */
  constructor(cast: Cast, expectations: readonly ScenarioExpectation[], places: ReadonlyMap<string, number>) {
    this.#cast = cast
    this.#places = places
    const keyed = expectations.flatMap(({ key }, index) => (key === undefined ? [] : [[key, index] as const]))
    this.#expectations = new Map(keyed)
  }

  /** The part of the story that an expectation is about. */
  of({ after, before, within }: ScenarioExpectation, path: ScenarioPath): StoryWindow {
    return {
      after: this.#mark(after, [...path, 'after']),
      before: this.#mark(before, [...path, 'before']),
      within: within === undefined ? null : { text: within, milliseconds: parseDuration(within) as number },
    }
  }

  #mark(name: string | undefined, path: ScenarioPath): Mark | null {
    if (name === undefined) return null
    const operation = operationNames.find((known) => known === (name as OperationName))
    if (operation) return { name, kind: 'operation', operation }
    const entry = this.#places.get(name)
    if (entry !== undefined) return { name, kind: 'entry', entry }
    const expectation = this.#expectations.get(name)
    if (expectation !== undefined) return { name, kind: 'expectation', expectation }
    this.#cast.building.problem(path, `there is no operation, entry or expectation "${name}"`)
    return null
  }
}
