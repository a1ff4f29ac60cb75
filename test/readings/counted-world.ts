import type { ScenarioInput } from 'agent-mailbox-sim'
import type { HttpHandler } from 'msw'
import { createHandlers, parseBaseUrl } from '../../src/handlers/index.js'
import { BaseIndex } from '../../src/model/base.js'
import type { Order, ShuffleKey } from '../../src/model/indexing.js'
import type { ModelName } from '../../src/model/rows.js'
import type { Sequence } from '../../src/model/sequence.js'
import { loadScenario } from '../../src/scenario/index.js'
import { type World, Worlds } from '../../src/world/index.js'

/** The index of a base that counts reads of its lists. */
class CountingIndex extends BaseIndex {
  /** Ids of rows that were read. */
  ids = 0
  /** The number of keys compared to find a place. */
  keys = 0
  readonly #counted: BaseIndex

  constructor(counted: BaseIndex, shuffle: ShuffleKey) {
    super(shuffle)
    this.#counted = counted
  }

  override find(name: string, gone?: ReadonlySet<string>): string | undefined {
    return this.#counted.find(name, gone)
  }

  override sequence(model: ModelName, scope: string, order: Order): Sequence {
    const { length, keyAt, ordinalAt, ids } = this.#counted.sequence(model, scope, order)
    return {
      length,
      keyAt: (position) => {
        this.keys++
        return keyAt(position)
      },
      ordinalAt,
      ids: (first, count) => {
        this.ids += count
        return ids(first, count)
      },
    }
  }
}

/** A world whose reads of lists are counted. */
export interface CountedWorld {
  readonly world: World
  readonly handlers: HttpHandler[]
  readonly counts: { ids: number; keys: number }
}

/** Loads a scenario into a world whose reads of lists are counted, under some readings. */
export async function countedWorld(
  scenario: ScenarioInput,
  readings: Readonly<Record<string, string>>,
): Promise<CountedWorld> {
  const initialState = await loadScenario(scenario, { readings: [{ from: 'test', input: readings }] })
  const { base } = initialState
  const index = new CountingIndex(base.index, base.shuffle)
  const worlds = new Worlds({ ...initialState, base: { ...base, index } }, 'frozen')
  const onDefect = (error: unknown) => {
    throw error
  }
  const handlers = createHandlers({ worlds, baseUrl: parseBaseUrl('http://mailbox.test'), onDefect })
  return { world: worlds.first, handlers, counts: index }
}
