import { grouped } from '../problems/found-value.js'
import { maxGeneratedMessages, maxHappenings } from '../source/sizes.js'
import type { Check } from './story.js'
import { allIdentities } from './story-names.js'

/** More generated mail, or a longer timeline, than can be held. */
export const checkAmounts: Check = function* ({ scenario, occurrences }) {
  let messages = 0
  for (const { identity, path } of allIdentities(scenario)) {
    if (!identity.generate) continue
    const { threads, messages: each } = identity.generate
    const before = messages
    messages += threads * (typeof each === 'number' ? each : each[1])
    if (before > maxGeneratedMessages || messages <= maxGeneratedMessages) continue
    const message = `brings the generated messages to ${grouped(messages)}, counting threads with the most messages; expected ${grouped(maxGeneratedMessages)} at most in all`
    yield { path: [...path, 'generate', 'threads'], message }
  }
  let happenings = 0
  for (const { entry, path } of occurrences) {
    const before = happenings
    happenings += entry.repeat?.times ?? 1
    if (before > maxHappenings || happenings <= maxHappenings) continue
    const message = `brings the timeline to ${grouped(happenings)} happenings; expected ${grouped(maxHappenings)} at most in all`
    yield { path: entry.repeat ? [...path, 'repeat', 'times'] : path, message }
  }
}
