import type { Assumptions } from '../../contract/gaps.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { Clock } from '../time/clock.js'
import { IdSource } from '../time/random.js'
import { CommandContext } from './commands/command.js'
import {
  type CommandOf,
  type CommandType,
  checkCommand,
  commands,
  type ResultOf,
} from './commands/commands.js'
import type { InitialState } from './initial-state.js'
import { SentCount } from './sent-count.js'

/** Applies commands to its own store, without changing the world. */
export interface Rehearsal {
  readonly store: MailboxStore
  /** Returns the result that the world would return. @throws WorldError */
  apply<T extends CommandType>(command: CommandOf<T> & { type: T }): ResultOf<T>
}

/** The parts of a world that commands read. */
interface RehearsedWorld {
  readonly initialState: InitialState
  readonly store: MailboxStore
  readonly clock: Clock
  readonly ids: IdSource
  readonly sent: SentCount
  readonly assumptions: Assumptions
}

/** Begins a rehearsal in the present state of a world. */
export function createRehearsal(world: RehearsedWorld): Rehearsal {
  const { initialState, ids, sent } = world
  const store = world.store.rehearsal()
  const parts = {
    store,
    initialState,
    // The next ids, which the commands would get.
    ids: new IdSource(initialState.seed, ids.counts),
    sent: new SentCount(sent.count, sent.most),
  }
  const apply: Rehearsal['apply'] = (command: object) => {
    const checked = checkCommand(command)
    const context = new CommandContext(parts, world.clock.now(), world.assumptions)
    return commands[checked.type].apply(context, checked as never) as never
  }
  return { store, apply }
}
