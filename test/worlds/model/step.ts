import type { RunningServer } from 'agent-mailbox-sim/server'
import type fc from 'fast-check'
import { ask, type Sent } from '../../server/control-client.js'
import { expectSame } from './real.js'
import type { Model, World } from './state.js'

/** What a step has at hand. */
export interface Hand {
  readonly model: Model
  readonly server: RunningServer
  /** The world it is about. */
  readonly world: World
  /** Asks the control API about that world. */
  control(method: string, path: string, sent?: Sent): ReturnType<typeof ask>
}

/** What chooses the world of a step: numbers choose among those there are. */
export interface Given {
  readonly world: number
}

/** A step of the state machine: it does something to both sides, and then they are the same. */
export class Step<G extends Given> implements fc.AsyncCommand<Model, RunningServer> {
  readonly #name: string
  readonly #given: G
  readonly #act: (given: G, hand: Hand) => Promise<void>

  constructor(name: string, given: G, act: (given: G, hand: Hand) => Promise<void>) {
    this.#name = name
    this.#given = given
    this.#act = act
  }

  check(): boolean {
    return true
  }

  async run(model: Model, server: RunningServer): Promise<void> {
    const world = at(model.worlds, this.#given.world) as World
    const control: Hand['control'] = (method, path, sent) =>
      ask(server, method, path, { ...sent, world: world.id })
    await this.#act(this.#given, { model, server, world, control })
    await expectSame(model, server, world)
  }

  toString(): string {
    return `${this.#name}(${JSON.stringify(this.#given)})`
  }
}

/** Steps of one kind. */
export function steps<G extends Given>(
  name: string,
  given: fc.Arbitrary<G>,
  act: (given: G, hand: Hand) => Promise<void>,
): fc.Arbitrary<fc.AsyncCommand<Model, RunningServer>> {
  return given.map((one) => new Step(name, one, act))
}

/** The item a number chooses; undefined where there is none. */
export function at<Item>(list: readonly Item[], number: number): Item | undefined {
  return list[number % list.length]
}
