import { parseJson } from '../../../base/json.js'
import { statedWrite, writeOf } from '../exchanges.js'
import type { Observation, Tracker } from '../tracker.js'
import type { Invariant } from './invariant.js'

/** The client writes only what the scenario expects: what `writes` lists or, without it, what another expectation is about. */
export const changesNothingElse: Invariant = {
  advice: 'Distinguish a failed response from an empty one, and write only what was read completely.',
  watch({ writes }, facts) {
    const { mailbox, others } = facts
    const allowed = writes && new Set(writes.map((one) => statedWrite(one) ?? one))
    const positive = others.filter(({ amount }) => amount && amount.most !== 0)
    const counting = allowed ? [] : positive.map((one) => one.track(facts))
    const states = others.flatMap(({ state }) => state ?? [])

    /** Returns whether a write changes what the scenario expects of a state. */
    const isOfState = (observation: Observation): boolean => {
      if (observation.type !== 'exchange') return false
      const { path, request } = observation.exchange
      const body = Object.keys(Object(parseJson(request.body ?? '')))
      return states.some(({ id, has }) => {
        const names = [id, mailbox.store.get('identity', id)?.agent_handle]
        return path.split('/').some((part) => names.includes(part)) && body.every((field) => field in has)
      })
    }

    return {
      expected: !allowed
        ? 'no write but what the scenario expects'
        : allowed.size === 0
          ? 'no write'
          : `no write other than ${[...allowed].join(', ')}`,
      observe(observation) {
        // All of them count, so that each knows what came before.
        const isExpected = counting.map((one) => counts(one, observation)).includes(true)
        const write = writeOf(observation)
        if (write === undefined || isExpected || allowed?.has(write) || (!allowed && isOfState(observation)))
          return undefined
        return { found: `an unexpected write: ${write}`, differences: ['expected no such write'] }
      },
    }
  },
}

/** Lets another expectation observe; returns whether it counts what it observed. */
function counts(tracker: Tracker, observation: Observation): boolean {
  const { count } = tracker
  tracker.observe(observation)
  return tracker.count !== count
}
