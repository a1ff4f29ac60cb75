import { counted, formatDuration } from '../base/text.js'
import type { CommandOutcome } from '../runs/agent/agent.js'
import type { PlayStart, PlayWatcher } from '../runs/agent/options.js'
import { formatSpan, plainStyle, type Style } from '../runs/reports/report.js'
import { Timers } from '../service/time/wall-time.js'
import type { Delivery } from '../service/webhooks/delivery.js'
import type { WorldEvent } from '../service/world/entries.js'
import type { Exchange } from '../service/world/exchange.js'
import type { PlayedEntry } from '../service/world/story-entry.js'
import { formatExchange } from '../story/expectations/request.js'
import { type Progress, sanitize } from './terminal.js'

/** Milliseconds between two updates of the last line. */
const updateInterval = 250

/**
 * Shows a replay. On a terminal: what happens, and in the last line the progress of the story. In a log: the
 * timeline and what the command writes; with `verbose`, everything that happens.
 */
export class ReplayProgress implements PlayWatcher {
  readonly #progress: Progress
  readonly #style: Style
  readonly #verbose: boolean
  readonly #timers = new Timers()
  #story: PlayStart | undefined
  #state = ''
  #requests = 0
  #deliveries = 0
  #lastLine = ''
  #repeats = 0
  #isOver = false

  constructor(progress: Progress, style: Style, verbose: boolean) {
    this.#progress = progress
    this.#style = progress.isTerminal ? style : plainStyle
    this.#verbose = verbose || progress.isTerminal
  }

  started(story: PlayStart): void {
    this.#story = story
    this.#print(this.#style.faint(sanitize(formatStart(story))))
    if (this.#progress.isTerminal) void this.#tick()
  }

  waiting(): void {
    this.#state = 'waiting for the agent'
    this.#draw()
  }

  begun(ready: boolean): void {
    this.#state = ''
    if (!ready) this.#print(noSignNote)
  }

  ended(outcome: CommandOutcome): void {
    if (outcome.ended === 'by-itself') this.#print(formatEnd(outcome))
  }

  ending(): void {
    this.#state = 'the story has ended; stopping the command'
    this.#draw()
  }

  noted(note: string): void {
    this.#print(`note: ${note}`)
  }

  happened(event: WorldEvent): void {
    const { type, at } = event
    if (type === 'exchange') this.#requests++
    const line = this.#verbose || type === 'timeline' ? formatWorldEvent(event) : undefined
    if (line === undefined) return
    if (type === 'delivery') this.#deliveries++
    this.#repeats = line === this.#lastLine && this.#progress.isTerminal ? this.#repeats + 1 : 0
    this.#lastLine = line
    if (this.#repeats > 0) {
      // An agent that polls must not fill the screen.
      this.#draw()
      return
    }
    const time = this.#style.faint(timeOf(this.#story?.start ?? at, event).padStart(6))
    const shown = sanitize(line)
    this.#print(`${time}  ${type === 'timeline' ? this.#style.strong(shown) : shown}`)
  }

  wrote(lines: readonly string[]): void {
    this.#lastLine = ''
    const mark = this.#style.faint('│')
    const shown = this.#progress.isTerminal ? lines.map((line) => `${mark} ${line}`) : lines
    this.#print(shown.join('\n'))
  }

  end(): void {
    this.#isOver = true
    this.#timers.end()
    this.#progress.end()
  }

  async #tick(): Promise<void> {
    while (!this.#isOver) {
      this.#draw()
      await this.#timers.wait(updateInterval)
    }
  }

  #print(text: string): void {
    this.#progress.print(text)
    this.#draw()
  }

  #draw(): void {
    const story = this.#story
    if (!story) return
    const repeated = this.#repeats > 0 ? `, the last one ${this.#repeats + 1} times` : ''
    const text = [
      `${formatTime(story.start, story.now())} of ${formatDuration(story.length)}`,
      `${counted(this.#requests, 'request')}${repeated}`,
      counted(this.#deliveries, 'delivery attempt'),
      ...(this.#state === '' ? [] : [this.#state]),
    ].join(' · ')
    this.#progress.show(text, this.#style.faint)
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
function formatEnd({ problem, start }: CommandOutcome): string {
  if (start !== undefined) return `Start ${start} of the command ${problem}; another one went on.`
  return `The command ${problem ?? 'exited with status 0'}; the rest of the story is played without it.`
}

/** Formats an event; undefined if nobody needs to see it. */
export function formatWorldEvent({ type, data }: WorldEvent): string | undefined {
  if (type === 'exchange') return formatExchange(data as Exchange)
  if (type === 'delivery') return formatDelivery(data as Delivery)
  if (type !== 'timeline') return undefined
  const { name, problem } = data as PlayedEntry
  // A generated name begins with the time, which is already shown.
  const shown = name.replace(/^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+ /, '')
  return problem === null ? shown : `${shown}: could not be played as written: ${problem}`
}

/** Formats when something happened in the story, e.g. `1m12s`; for the timeline, when it was to happen. */
function timeOf(start: string, { type, at, data }: WorldEvent): string {
  return formatTime(start, type === 'timeline' ? (data as PlayedEntry).at : at)
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
