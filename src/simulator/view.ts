import { type Render, Renderer, type World } from '../world/index.js'

/** Shows rows of a world as its answers would, without noting any reliance. */
export class View {
  readonly world: World
  readonly #base: string

  /** `base` is the address below which stored files are served. */
  constructor(world: World, base: string) {
    this.world = world
    this.#base = base
  }

  /** A row as an answer carries it. */
  show<Row extends object, Resource>(row: Row, render: Render<Row>): Resource {
    const { store, readings } = this.world
    const renderer = new Renderer(undefined, store, readings, this.#base, () => undefined)
    return JSON.parse(new TextDecoder().decode(renderer.one(row, render))) as Resource
  }
}
