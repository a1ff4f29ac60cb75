import { plainCopy } from '../../base/json.js'
import { createSettle } from '../../service/assumptions/settle.js'
import type { MailboxStore } from '../../service/model/mailbox-store.js'
import type { IdentityRow, ModelName, Rows } from '../../service/model/rows.js'
import type { Render } from '../../service/rendering/renderer.js'
import { existing, noAgent } from '../../service/world/commands/command.js'
import type { World } from '../../service/world/world.js'
import { StoryMasker } from '../../story/secrets.js'
import { type Story, storyOf } from '../../story/story.js'

/** A world for those who control it: finds its rows, and renders them as its responses would, without noting reliances. */
export class WorldView {
  readonly world: World
  /** The address below which stored files are served. */
  readonly base: string

  constructor(world: World, base = world.base) {
    this.world = world
    this.base = base
  }

  /** The story that is told in the world. */
  get story(): Story {
    return storyOf(this.world)
  }

  /** Masks keys, tokens and the secrets of the story in everything that is reported about this world. */
  get masker(): StoryMasker {
    return new StoryMasker(this.world.masker, this.story.secrets ?? {})
  }

  /** Returns the row with an id. @throws WorldError `not-found` */
  row<M extends ModelName>(model: M, id: string): Rows[M] {
    return existing(this.world, model, id)
  }

  /** Returns the agent with a handle, which may begin with `@`. @throws WorldError `not-found` */
  agent(handle: string): IdentityRow {
    const { store } = this.world
    const row = store.identityBy('handleAnywhere', String(handle).replace(/^@/, ''))
    if (row) return row
    throw noAgent(handle, store.all('identity'))
  }

  /** Renders a row in the form that responses have. */
  show<Row extends object, Resource>(row: Row, render: Render<Row>): Resource {
    const { store, assumptions, extensions } = this.world
    const settle = createSettle(assumptions)
    const { fields } = extensions
    return plainCopy(render(row, { store, settle, base: this.base, fields })) as Resource
  }

  /** Renders the rows with some ids. */
  showAll<M extends ModelName, Resource>(
    model: M,
    ids: readonly string[],
    render: Render<Rows[M]>,
  ): Resource[] {
    return this.world.store.rows(model, ids).map((row) => this.show(row, render))
  }

  /** Returns the ids of all organizations, or of the first only. */
  organizations(everywhere = false): string[] {
    const { store } = this.world
    return everywhere ? [...store.all('organization')].map(({ id }) => id) : [store.firstOrganization().id]
  }
}

/** The numbers of agents, threads, messages and webhooks in a world. */
export interface WorldSummary {
  readonly agents: number
  readonly threads: number
  readonly messages: number
  readonly webhooks: number
}

/** Counts the rows of a store. */
export function summarize(store: MailboxStore): WorldSummary {
  const ids = [...store.all('organization')].map(({ id }) => id)
  return {
    agents: store.identities(...ids).count,
    threads: store.threads(...ids).count,
    messages: store.messages(...ids).count,
    webhooks: store.webhooks(...ids).count,
  }
}
