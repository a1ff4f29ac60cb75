import { once } from '../../contract/once.js'
import type { z } from '../../contract/schema.js'
import type { MailboxStore, ModelName, Rows } from '../../model/index.js'
import type { IdKind } from '../ids.js'
import { notFound } from '../not-found.js'
import type { NewMailEvent } from '../webhooks/subscriptions.js'

/** The parts of a world that commands use. */
export interface CommandContext {
  readonly store: MailboxStore
  readonly seed: number
  now(): number
  newId(kind: IdKind): string
  /** Emits an event of a message; it is dispatched to subscriptions once the command is applied. */
  emit(event: NewMailEvent): void
  /** Whether mail to an address comes back, as the scenario has it. */
  bounces(address: string): boolean
}

/** How one kind of command is checked and applied. */
export interface CommandDefinition<Schema extends z.ZodType<{ type: string }>, Result> {
  /** What its parts are, made when they are first asked for: all of them together take a tenth of a start. */
  readonly schema: () => Schema
  /**
   * Changes the world. Everything that can be refused is refused before the first write.
   * @throws CommandError
   */
  apply(world: CommandContext, command: z.output<Schema>): Result
}

/** Declares a command, keeping its types. */
export function defineCommand<Schema extends z.ZodType<{ type: string }>, Result>(
  definition: CommandDefinition<Schema, Result>,
): CommandDefinition<Schema, Result> {
  return { ...definition, schema: once(definition.schema) }
}

/** The row with that id. @throws CommandError `not-found` */
export function existing<M extends ModelName>(
  { store }: { readonly store: MailboxStore },
  model: M,
  id: string,
): Rows[M] {
  const row = store.get(model, id)
  if (!row) throw notFound(model, id)
  return row
}

/** The organization of that id, or the first. @throws CommandError `not-found` */
export function organizationOf(world: CommandContext, id: string | undefined): Rows['organization'] {
  return id === undefined ? world.store.firstOrganization() : existing(world, 'organization', id)
}
