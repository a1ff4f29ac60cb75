import type { MailboxStore } from '../model/mailbox-store.js'
import { IdSource } from '../time/random.js'
import { CommandContext, type CommandParts } from './commands/command.js'
import {
  type CommandOf,
  type CommandType,
  checkCommand,
  commands,
  type ResultOf,
} from './commands/commands.js'
import { KeptAnswers } from './kept-answers.js'
import { SentCount } from './sent-count.js'
import type { WorldState } from './world-state.js'

/** Applies commands to its own store, without changing the world. */
export interface Rehearsal {
  readonly store: MailboxStore
  /** Returns the result that the world would return. @throws CommandError */
  apply<T extends CommandType>(command: CommandOf<T> & { type: T }): ResultOf<T>
}

/** Begins a rehearsal in the present state of a world. */
export function createRehearsal(state: WorldState): Rehearsal {
  const { initialState, ids, sent } = state
  const store = state.store.rehearsal()
  const parts: CommandParts = {
    store,
    initialState,
    // The next ids, which the commands would get.
    ids: new IdSource(initialState.seed, ids.counts),
    answers: new KeptAnswers(),
    sent: new SentCount(sent.count, sent.most),
  }
  const apply: Rehearsal['apply'] = (command: object) => {
    const checked = checkCommand(command)
    const context = new CommandContext(parts, state.clock.now(), state.chosen.assumptions)
    return commands[checked.type].apply(context, checked as never) as never
  }
  return { store, apply }
}
