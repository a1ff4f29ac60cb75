import { partOfDay } from '../facts/dates.js'
import type { Circumstances } from './circumstances.js'
import { variant } from './variant.js'

type Greeting = (circumstances: Circumstances) => string

const OPENING: readonly Greeting[] = [
  () => 'Hi,',
  () => 'Hello,',
  () => 'Hi there,',
  () => 'Hi,',
  () => 'Hello,',
  ({ company }) => `Hi ${company} team,`,
  ({ company }) => `Dear ${company},`,
  ({ agentName }) => `Hello ${agentName},`,
  ({ begins }) => `Good ${partOfDay(begins)},`,
  () => 'To whom it may concern,',
]

// In the middle of a conversation some people do without.
const FOLLOW_UP = ['Hi,', 'Hello,', 'Hi again,', 'Hello again,', 'Hi,', ''] as const

const AGENT: readonly Greeting[] = [
  ({ firstName }) => `Hi ${firstName},`,
  ({ firstName }) => `Hello ${firstName},`,
  ({ firstName }) => `Dear ${firstName},`,
]

/** How the person from outside greets in message `index`; always something in the first, maybe nothing later. */
export function personGreeting(circumstances: Circumstances, index: number): string {
  const { voice } = circumstances
  return index === 0 ? variant(OPENING, voice, 200)(circumstances) : variant(FOLLOW_UP, voice, 200 + index)
}

/** How the agent greets, the same way throughout a thread. */
export function agentGreeting(circumstances: Circumstances): string {
  return variant(AGENT, circumstances.voice, 300)(circumstances)
}
