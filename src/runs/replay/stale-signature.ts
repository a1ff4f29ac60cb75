import { parseInstant } from '../../service/time/time.js'
import { wallTime } from '../../service/time/wall-time.js'
import type { Play } from '../play.js'

/** What receivers and libraries say of a signature that is too old or too new. */
const staleness = /timestamp|too (?:old|new)|expired|stale|tolerance|\bskew/i

/** How far the time of a signature may be from that of the receiver, in milliseconds: five minutes with most libraries. */
const tolerance = 300_000

/** Explains that the agent seems to refuse deliveries since their signatures have the time of the story. */
export function staleSignature({ simulator, agent }: Play): string[] {
  // Retries come later in the story than their event, whatever the clock of the receiver.
  const attempts = simulator.deliveries.list().flatMap((one) => one.attempts.slice(0, 1))
  const refused = attempts.find(({ at, request, response }) => {
    const age = Math.abs(wallTime() - (parseInstant(at) ?? 0))
    const isSigned = Object.keys(request.headers).some((name) => name.endsWith('signature'))
    const said = [response?.body, agent?.complaint].join(' ')
    return isSigned && age > tolerance && (response?.status ?? 0) >= 400 && staleness.test(said)
  })
  if (!refused) return []
  return [
    `A signature has the time of the story (${refused.at}), and the agent seems to compare it with the machine's: ` +
      '--agent-time story shows the agent the time of the story, and --start now lets the story begin now.',
  ]
}
