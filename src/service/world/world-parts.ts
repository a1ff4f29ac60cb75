import { type Extensions, noExtensions } from '../../contract/extensions.js'
import type { Assumptions, GapId } from '../../contract/gaps.js'
import type { FaultRules } from '../faults/fault-rules.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { Clock } from '../time/clock.js'
import type { DeliveryDispatcher } from '../webhooks/dispatcher.js'
import type { CommandOf, CommandType, ResultOf } from './commands/commands.js'
import type { InitialState } from './initial-state.js'
import type { KeptAnswers } from './kept-answers.js'
import { createRehearsal, type Rehearsal } from './rehearsal.js'
import type { KnownSecrets } from './secrets.js'
import type { Timeline } from './timeline.js'
import type { Triggers } from './triggers.js'
import type { WorldState } from './world-state.js'

/** The parts of a world that a restart, a reset and a restore replace. */
export abstract class WorldParts {
  /** All of them; another object after each restart. */
  protected abstract state: WorldState

  /** The state from which the world started, and to which a reset returns. */
  get initialState(): InitialState {
    return this.state.initialState
  }

  /** The additions of extensions to the documented interface. */
  get extensions(): Extensions {
    return this.initialState.extensions ?? noExtensions
  }

  get store(): MailboxStore {
    return this.state.store
  }

  get clock(): Clock {
    return this.state.clock
  }

  get timeline(): Timeline {
    return this.state.timeline
  }

  /** The entries of the scenario that wait for a client. */
  get triggers(): Triggers {
    return this.state.triggers
  }

  get faults(): FaultRules {
    return this.state.faults
  }

  /** The responses that are kept for requests with the same `Idempotency-Key`. */
  get answers(): KeptAnswers {
    return this.state.answers
  }

  get dispatcher(): DeliveryDispatcher {
    return this.state.dispatcher
  }

  /** The assumptions in force; a new object each time they change. */
  get assumptions(): Assumptions {
    return this.state.chosen.assumptions
  }

  /** Who chose the assumption of each gap: `default`, `scenario`, a flag, or the running program. */
  get origins(): Readonly<Record<GapId, string>> {
    return this.state.chosen.origins
  }

  /**
   * Why a message was refused since the story began, because agents had sent as many as it allows; null if
   * none was.
   */
  get runaway(): string | null {
    return this.state.sent.refusal
  }

  /** The API keys, tokens and other secrets this world has had since it began, including those of deleted rows. */
  get secrets(): KnownSecrets {
    return this.state.secrets
  }

  /** Returns the result of applying a command, without applying it. @throws CommandError */
  rehearse<T extends CommandType>(command: CommandOf<T> & { type: T }): ResultOf<T> {
    return this.rehearsal().apply<T>(command)
  }

  /**
   * Begins a rehearsal, whose commands return their results and write to its own store, but do not change the
   * world.
   */
  rehearsal(): Rehearsal {
    return createRehearsal(this.state)
  }
}
