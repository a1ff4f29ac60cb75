import { counted, formatDuration } from '../base/text.js'
import type { PlayStart, PlayWatcher } from '../runs/agent/options.js'
import type { CommandEnd } from '../runs/agent/run-command.js'
import type { PlansWatcher } from '../runs/plans.js'
import { formatSpan } from '../runs/reports/report.js'
import type { Delivery } from '../service/webhooks/delivery.js'
import type { WorldEvent } from '../service/world/entries.js'
import type { Exchange } from '../service/world/exchange.js'
import type { PlayedEntry } from '../service/world/story-entry.js'
import { formatExchange } from '../story/expectations/request.js'
import { type Progress, sanitize } from './terminal.js'

/**
 * Shows a play: the timeline and what the command writes; with `verbose`, everything that happens. The last line of a
 * terminal has the time of the story.
 */
export function playProgress(progress: Progress, verbose: boolean): PlayWatcher {
  let story: PlayStart | undefined
  let requests = 0
  let state = ''
  const show = (): void => {
    if (!story) return
    const time = `${formatTime(story.start, story.now())} of ${formatDuration(story.length)}`
    progress.show([time, counted(requests, 'request'), ...(state === '' ? [] : [state])].join(' · '))
  }
  return {
    started(one) {
      story = one
      progress.print(sanitize(formatStart(one)))
      show()
    },
    waiting() {
      state = 'waiting for the agent'
      show()
    },
    begun(ready) {
      state = ''
      show()
      if (!ready) progress.print(noSignNote)
    },
    ended(outcome) {
      if (outcome.ended === 'by-itself') progress.print(formatEnd(outcome))
    },
    wrote: (lines) => progress.print(lines.join('\n')),
    noted: (note) => progress.print(`note: ${note}`),
    happened(event) {
      if (event.type === 'exchange') requests++
      show()
      const line = verbose || event.type === 'timeline' ? formatEvent(event) : undefined
      if (line === undefined) return
      // An entry of the timeline has the time at which it was to happen.
      const at = event.type === 'timeline' ? (event.data as PlayedEntry).at : event.at
      progress.print(sanitize(`${formatTime(story?.start ?? at, at).padStart(6)}  ${line}`))
    },
  }
}

/** How the progress of several plays is worded. */
interface PlansWords<Plan, Result> {
  /** What is counted, e.g. `trial`. */
  readonly noun: string
  nameOf(plan: Plan): string
  /** Returns the line about a play that has ended; undefined if it is not told. */
  formatEnd(result: Result, plan: Plan): string | undefined
  /** Returns whether a play counts as failed. */
  hasFailed(result: Result): boolean
}

/** Shows plays: how each ended and, in the last line of a terminal, how many have ended. */
export function plansProgress<Plan, Result>(
  progress: Progress,
  { noun, nameOf, formatEnd, hasFailed }: PlansWords<Plan, Result>,
): PlansWatcher<Plan, Result> {
  let [planned, ended, failed] = [0, 0, 0]
  const running: Plan[] = []
  const show = (): void => {
    const now = running.length === 0 ? '' : `; playing ${running.map(nameOf).join(', ')}`
    const all = counted(Math.max(planned, ended + running.length), noun)
    progress.show(`${ended} of ${all}, ${failed} failed${now}`)
  }
  return {
    planned(plans) {
      planned += plans.length
    },
    started(plan) {
      running.push(plan)
      show()
    },
    ended(result, plan) {
      running.splice(running.indexOf(plan), 1)
      ended++
      if (hasFailed(result)) failed++
      show()
      const line = formatEnd(result, plan)
      if (line !== undefined) progress.print(line)
    },
    noted: (note) => progress.print(`note: ${note}`),
  }
}

/** Formats the start of a replay. */
function formatStart({ scenario, entries, length, clock, url }: PlayStart): string {
  const timeline = counted(entries, 'timeline entry', 'timeline entries')
  const speed = clock === 'frozen' ? '' : ` at ${clock}`
  return `${scenario}: ${timeline}, ${formatDuration(length)} of story${speed}; service at ${url}`
}

/** Shown if a story begins without a sign of the agent. */
const noSignNote = 'note: the story begins without any sign of the agent; to wait for it, use --ready <url>'

/** Formats that the command has ended before the story. */
function formatEnd({ problem }: CommandEnd): string {
  return `The command ${problem ?? 'exited with status 0'} before the story was over.`
}

/** Formats an event; undefined if nobody needs to see it. */
export function formatEvent({ type, data }: WorldEvent): string | undefined {
  if (type === 'exchange') return formatExchange(data as Exchange)
  if (type === 'delivery') return formatDelivery(data as Delivery)
  if (type !== 'timeline') return undefined
  const { name, problem } = data as PlayedEntry
  // A generated name begins with the time, which is already shown.
  const shown = name.replace(/^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+ /, '')
  return problem === null ? shown : `${shown}: could not be played as written: ${problem}`
}

/** Formats an instant as time since the start of the story in whole seconds, e.g. `1m12s`. */
function formatTime(start: string, at: string): string {
  return formatSpan(start, at.replace(/\.\d+Z$/, 'Z'))
}

/** Formats an attempt that has a result; one that has just begun is not shown. */
function formatDelivery({ event, url, status, attempts }: Delivery): string | undefined {
  const last = attempts.at(-1)
  if (!last || (last.response === null && last.error === null)) return undefined
  const number = last.number === 1 ? '' : `, attempt ${last.number}`
  const outcome = last.response ? `response ${last.response.status}` : (last.error?.message ?? '')
  return `${event.type} to ${url} ${status}${number}: ${outcome}`
}
