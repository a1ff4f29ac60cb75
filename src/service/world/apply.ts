import { chooseAssumptions } from '../assumptions/assumptions.js'
import { faultsAfter } from '../faults/fault-rules.js'
import type { MailboxStore, WrittenRow } from '../model/mailbox-store.js'
import type { Rows } from '../model/rows.js'
import { type DeliveryState, hasFinished } from '../webhooks/delivery.js'
import type { Entry } from './entries.js'
import { keepAnswer } from './kept-answers.js'
import type { InitialState, WorldState } from './state.js'
import { mayBeSentAgain } from './story-entry.js'

/**
 * Applies an entry of a log to the state before it: the one way in which a state is built from what happened. An entry of a
 * delivery or of the clock may be applied again when it has changed.
 */
export function apply(initialState: InitialState, state: WorldState, entry: Entry): void {
  applyByType(initialState, state, entry)
  const { clock } = state
  if (entry.at > clock.now) state.clock = { ...clock, now: entry.at }
}

function applyByType(initialState: InitialState, state: WorldState, entry: Entry): void {
  switch (entry.type) {
    case 'command':
      for (const row of entry.rows) writeRow(state.store, row)
      state.ids = { ...entry.ids }
      state.sent = entry.sent
      if (entry.answer) keepAnswer(state.answers, entry.answer)
      return
    case 'event':
      state.ids.event = entry.count
      return
    case 'delivery':
      applyDelivery(initialState, state, entry.delivery)
      return
    case 'timeline': {
      const { played } = entry
      ;(played.triggered ? state.triggered.played : state.played).push(played)
      return
    }
    case 'triggers': {
      const { counts, pending } = entry
      const { played } = state.triggered
      state.triggered = { counts, played, ...(pending.length > 0 && { pending: [...pending] }) }
      return
    }
    case 'fault':
    case 'hit':
      state.faults = faultsAfter(state.faults, entry)
      return
    case 'assumptions': {
      const layer = { from: entry.from, input: entry.assumptions }
      state.chosen = chooseAssumptions([layer], state.chosen, initialState.extensions?.gaps)
      return
    }
    case 'clock': {
      const { mode, beganAt, ahead, at } = entry
      state.clock = { mode, beganAt, now: at, ...(ahead !== undefined && { ahead }) }
      return
    }
    case 'exchange':
    case 'reset':
    // What a request leaves behind has entries of its own, and a reset begins another list.
  }
}

function writeRow(store: MailboxStore, { model, id, after }: WrittenRow): void {
  if (after) store.put(model, after as Rows[typeof model])
  else store.remove(model, id)
}

function applyDelivery(initialState: InitialState, state: WorldState, delivery: DeliveryState): void {
  const { id, webhook_id, ordinal, event, nth = 0 } = delivery
  const { subscriptions, events } = state.counts
  subscriptions[webhook_id] = Math.max(subscriptions[webhook_id] ?? 0, ordinal + 1)
  events[event.type] = Math.max(events[event.type] ?? 0, nth)
  state.ids.delivery = Object.values(events).reduce((sum, count) => sum + count, 0)
  if (!hasFinished(delivery) || mayBeSentAgain(initialState, delivery)) state.deliveries.set(id, delivery)
  else state.deliveries.delete(id)
}
