import { canonicalJson } from '../../world/random.js'
import type { Observation } from '../tracker.js'

/**
 * Returns what a client wrote with something that happened, in a line that is the same for equal writes; undefined where
 * it wrote nothing. Mail that a client has sent through the control API counts, mail of the story does not.
 */
export function writeOf(observation: Observation): string | undefined {
  if (observation.type === 'exchange') {
    const { method, path, status, request } = observation.exchange
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || status < 200 || status > 299)
      return undefined
    return `${method} ${path} ${normalBody(request.body)}`
  }
  if (observation.type !== 'command') return undefined
  const { command } = observation
  // What the timeline sends is dated.
  if (command.type !== 'send-message' || command.at !== undefined) return undefined
  const { to, subject = '', text } = command
  return `send ${canonicalJson({ to, subject, text })}`
}

function normalBody(body: string | null): string {
  try {
    return canonicalJson(JSON.parse(body ?? ''))
  } catch {
    return body ?? ''
  }
}
