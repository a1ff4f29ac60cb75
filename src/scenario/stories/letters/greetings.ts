import type { Language, Phrase } from '../language.js'
import type { Circumstances } from './circumstances.js'
import { variant } from './variant.js'

/** How the person from outside greets in message `index`; always something in the first, maybe nothing later. */
export function personGreeting({ greetings }: Language, circumstances: Circumstances, index: number): string {
  const phrases = index === 0 ? greetings.opening : greetings.followUp
  return spoken(variant(phrases, circumstances.voice, 200 + index), circumstances)
}

/** How the agent greets, the same way throughout a thread. */
export function agentGreeting({ greetings }: Language, circumstances: Circumstances): string {
  return spoken(variant(greetings.agent, circumstances.voice, 300), circumstances)
}

/** The words of a phrase. */
export function spoken(phrase: Phrase, circumstances: Circumstances): string {
  return typeof phrase === 'string' ? phrase : phrase(circumstances)
}
