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
  /** Emits an event, which is dispatched to subscriptions after the command was applied. */
  emit(event: NewMailEvent): void
  /** Returns whether mail to an address bounces, according to the scenario. */
  bounces(address: string): boolean
}

/** One kind of command: how it is checked and applied. */
export interface CommandDefinition<Schema extends z.ZodType<{ type: string }>, Result> {
  /** Creates the schema; when it is first needed, since all schemas together take a tenth of a cold start. */
  readonly schema: () => Schema
  /**
   * Applies the command. Everything that can be refused is refused before the first write.
   * @throws CommandError
   */
  apply(world: CommandContext, command: z.output<Schema>): Result
}

/** Defines a command, keeping its types. */
export function defineCommand<Schema extends z.ZodType<{ type: string }>, Result>(
  definition: CommandDefinition<Schema, Result>,
): CommandDefinition<Schema, Result> {
  return { ...definition, schema: once(definition.schema) }
}

/** Returns the row with that id. @throws CommandError `not-found` */
export function existing<M extends ModelName>(
  { store }: { readonly store: MailboxStore },
  model: M,
  id: string,
): Rows[M] {
  const row = store.get(model, id)
  if (!row) throw notFound(model, id)
  return row
}

/** Returns the organization with that id, or the first one. @throws CommandError `not-found` */
export function organizationOf(world: CommandContext, id: string | undefined): Rows['organization'] {
  return id === undefined ? world.store.firstOrganization() : existing(world, 'organization', id)
}
