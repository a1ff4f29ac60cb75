import { type CommandOutcome, formatDuration, formatSpan, type ReplayStart } from '../replay/index.js'
import { formatExchange } from '../simulator/exchange-line.js'
import type { Delivery, Exchange, Happening, PlayedEntry } from '../world/index.js'
import { formatCount } from './counts.js'

/** What is about to be played, in a line. */
export function formatStart({ scenario, entries, length, clock, url }: ReplayStart): string {
  const timeline = formatCount(entries, 'timeline entry', 'timeline entries')
  const speed = clock === 'frozen' ? '' : ` at ${clock}`
  return `${scenario}: ${timeline}, ${formatDuration(length)} of story${speed}; service at ${url}`
}

/** What is told where a story begins though nothing was seen of the agent. */
export const unseenNote =
  'note: nothing was seen of the agent so far, and the story begins; --ready <url> tells what to wait for'

/** That the command has ended before the story. */
export function formatEnd({ problem }: CommandOutcome): string {
  return `The command ${problem ?? 'ended with status 0'}; the rest of the story happens without it.`
}

/** Something that happened in a story, as a line; undefined for what nobody needs to see. */
export function formatHappening({ type, data }: Happening): string | undefined {
  if (type === 'exchange') return formatExchange(data as Exchange)
  if (type === 'delivery') return formatDelivery(data as Delivery)
  if (type !== 'timeline') return undefined
  const { name, problem } = data as PlayedEntry
  // A name that was made of the time and what happens says the time once more.
  const shown = name.replace(/^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+ /, '')
  return problem === null ? shown : `${shown}: this could not happen as written: ${problem}`
}

/** When something happened, from the start of the story, e.g. `1m12s`; of the timeline, when it was to happen. */
export function timeOf(start: string, { type, at, data }: Happening): string {
  return formatTime(start, type === 'timeline' ? (data as PlayedEntry).at : at)
}

/** An instant, from the start of the story and in whole seconds, e.g. `1m12s`. */
export function formatTime(start: string, at: string): string {
  return formatSpan(start, at.replace(/\.\d+Z$/, 'Z'))
}

/** An attempt that has come to something; one that has just begun is not told. */
function formatDelivery({ event, url, status, attempts }: Delivery): string | undefined {
  const last = attempts.at(-1)
  if (!last || (last.response === null && last.error === null)) return undefined
  const number = last.number === 1 ? '' : `, attempt ${last.number}`
  const outcome = last.response ? `answered ${last.response.status}` : (last.error?.message ?? '')
  return `${event.type} to ${url} ${status}${number}: ${outcome}`
}
