import { type CommandOutcome, formatDuration, type ReplayStart, type ReplayWatcher } from '../replay/index.js'
import { startPause } from '../world/index.js'
import { formatCount } from './counts.js'
import { formatEnd, formatHappening, formatStart, formatTime, timeOf, unseenNote } from './replay-lines.js'
import { type Paint, tamed } from './terminal.js'

/** Where progress is told. */
export interface ProgressScreen {
  readonly columns?: number
  write(text: string): unknown
}

/** Tells how a replay goes, and nothing any more once it has ended. */
export interface ReplayProgress extends ReplayWatcher {
  end(): void
}

/** Tells it line by line, where nobody watches or it is kept: the timeline; with `verbose`, whatever happens. */
export function createProgressInLines(screen: ProgressScreen, verbose: boolean): ReplayProgress {
  let start = ''
  let over = false
  const tell = (text: string): void => {
    if (!over) screen.write(`${text}\n`)
  }
  return {
    started(story) {
      start = story.start
      tell(formatStart(story))
    },
    begun: (ready) => (ready ? undefined : tell(unseenNote)),
    ended: (outcome) => outcome.ended === 'by-itself' && tell(formatEnd(outcome)),
    happened(happening) {
      const line = verbose || happening.type === 'timeline' ? formatHappening(happening) : undefined
      if (line !== undefined) tell(`${timeOf(start, happening).padStart(6)}  ${tamed(line)}`)
    },
    wrote: (lines) => tell(lines.join('\n')),
    noted: (note) => tell(`note: ${note}`),
    end() {
      over = true
    },
  }
}

/** Milliseconds between two looks at the story's time. */
const beat = 250

/** Back to the start of the line, and nothing after it. */
const clearLine = '\r\x1b[K'

/** Tells it on a terminal: what happens, as it happens, and in the last line how far the story is. */
export class ProgressOnTerminal implements ReplayProgress {
  readonly #screen: ProgressScreen
  readonly #paint: Paint
  #story: ReplayStart | undefined
  #state = ''
  #requests = 0
  #deliveries = 0
  #lastLine = ''
  #repeats = 0
  #endPause = (): void => undefined
  #over = false

  constructor(screen: ProgressScreen, paint: Paint) {
    this.#screen = screen
    this.#paint = paint
  }

  started(story: ReplayStart): void {
    this.#story = story
    this.#print(this.#paint.faint(formatStart(story)))
    void this.#tick()
  }

  waiting(): void {
    this.#state = 'waiting for the agent'
    this.#draw()
  }

  begun(ready: boolean): void {
    this.#state = ''
    if (!ready) this.#print(unseenNote)
  }

  ended(outcome: CommandOutcome): void {
    if (outcome.ended === 'by-itself') this.#print(formatEnd(outcome))
  }

  ending(): void {
    this.#state = 'the story is over; the command is told to end'
    this.#draw()
  }

  noted(note: string): void {
    this.#print(`note: ${note}`)
  }

  happened: NonNullable<ReplayWatcher['happened']> = (happening) => {
    const { type, at } = happening
    if (type === 'exchange') this.#requests++
    const line = formatHappening(happening)
    if (line === undefined) return
    if (type === 'delivery') this.#deliveries++
    this.#repeats = line === this.#lastLine ? this.#repeats + 1 : 0
    this.#lastLine = line
    // An agent that looks again and again fills no screen.
    if (this.#repeats > 0) return this.#draw()
    const time = this.#paint.faint(timeOf(this.#story?.start ?? at, happening).padStart(6))
    this.#print(`${time}  ${type === 'timeline' ? this.#paint.strong(tamed(line)) : tamed(line)}`)
  }

  readonly wrote: NonNullable<ReplayWatcher['wrote']> = (lines) => {
    this.#lastLine = ''
    this.#print(lines.map((line) => `${this.#paint.faint('│')} ${tamed(line)}`).join('\n'))
  }

  end(): void {
    this.#over = true
    this.#endPause()
    this.#screen.write(clearLine)
  }

  async #tick(): Promise<void> {
    while (!this.#over) {
      this.#draw()
      const { over, end } = startPause(beat)
      this.#endPause = end
      await over
    }
  }

  #print(text: string): void {
    if (this.#over) return
    this.#screen.write(`${clearLine}${text}\n`)
    this.#draw()
  }

  #draw(): void {
    const story = this.#story
    if (this.#over || !story) return
    const repeated = this.#repeats > 0 ? `, the last one ${this.#repeats + 1} times` : ''
    const text = [
      `${formatTime(story.start, story.now())} of ${formatDuration(story.length)}`,
      `${formatCount(this.#requests, 'request')}${repeated}`,
      formatCount(this.#deliveries, 'delivery attempt'),
      ...(this.#state === '' ? [] : [this.#state]),
    ].join(' · ')
    // A line that wraps could not be cleared.
    this.#screen.write(`${clearLine}${this.#paint.faint(text.slice(0, (this.#screen.columns || 80) - 1))}`)
  }
}
