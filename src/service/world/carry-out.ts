import type { NewMailEvent } from '../webhooks/subscriptions.js'
import { CommandContext } from './commands/command.js'
import { type Command, commands } from './commands/commands.js'
import type { Journal, KeptCommand } from './journal.js'
import type { WorldState } from './world-state.js'

/** What came of a command. */
interface CarriedOut {
  readonly result: unknown
  readonly kept: KeptCommand
  /** The events that are then dispatched to subscriptions. */
  readonly emitted: readonly NewMailEvent[]
}

/** Changes the rows of a world as a command says, which was checked, and records it in the journal. @throws CommandError */
export function carryOut(state: WorldState, journal: Journal, checked: Command, at: number): CarriedOut {
  const { store, secrets, chosen } = state
  const context = new CommandContext(state, at, chosen.assumptions)
  const result = commands[checked.type].apply(context, checked as never)
  for (const webhook of context.subscriptions) secrets.note(webhook)
  // Records the checked copy: the caller may change its own object later.
  const contentOf = (id: string): string | undefined => store.get('attachment', id)?.content
  const kept = journal.recordCommand(at, checked, context.added, contentOf)
  return { result, kept, emitted: context.emitted }
}
