import { formatDuration } from '../../base/text.js'

/** A moment at which a window begins or ends: the first request of an operation, an entry of the timeline, or a time. */
export interface Milestone {
  /** The operation, the key of the entry, or the time as it is written. */
  readonly name: string
  readonly isEntry?: boolean
  /** Milliseconds after the start of the story, if it is a time. */
  readonly after?: number
}

/** A length of story time. */
interface Span {
  /** As written in the file, e.g. `30s`. */
  readonly text: string
  readonly milliseconds: number
}

/** The part of the story that counts; fields are null when unset. */
export interface StoryWindow {
  readonly after: Milestone | null
  readonly before: Milestone | null
  /** From `after`, or from the start of the story. */
  readonly within: Span | null
}

/** All of the play. */
export const wholePlay: StoryWindow = { after: null, before: null, within: null }

/** A point in a run: its time, in milliseconds since the epoch, and its place in the order of events. */
export interface Moment {
  readonly at: number
  readonly seq: number
}

/** Returns whether a moment is after a mark: later in the order, and no earlier in time. */
function isAfter(moment: Moment, mark: Moment): boolean {
  return moment.seq > mark.seq && moment.at >= mark.at
}

/** Returns whether a moment is before a mark: earlier in the order, or in time. */
function isBefore(moment: Moment, mark: Moment): boolean {
  return moment.seq < mark.seq || (moment.seq > mark.seq && moment.at < mark.at)
}

/** The first moment of everything that windows refer to. */
export class Milestones {
  /** The start of the run, in milliseconds since the epoch. */
  readonly start: number
  readonly #first = new Map<string, Moment>()

  constructor(start: number) {
    this.start = start
  }

  /** Returns the first moment of a milestone; undefined if it has not happened. */
  of(mark: Milestone): Moment | undefined {
    // It is before anything else that happens at that instant.
    if (mark.after !== undefined) return { at: this.start + mark.after, seq: -1 }
    return this.#first.get(mark.name)
  }

  /** Notes a request of an operation, or an entry of the timeline that was played, by its name. */
  note(name: string, moment: Moment): void {
    if (!this.#first.has(name)) this.#first.set(name, moment)
  }
}

/** The part of a run that counts for an expectation. */
export class TimeWindow {
  readonly #window: StoryWindow
  readonly #milestones: Milestones
  readonly #isCausedByTimeline: boolean

  /**
   * `isCausedByTimeline` is for moments of effects of timeline entries: an effect is observed just before its entry is
   * reported, but counts as after it.
   */
  constructor(window: StoryWindow, milestones: Milestones, { isCausedByTimeline = false } = {}) {
    this.#window = window
    this.#milestones = milestones
    this.#isCausedByTimeline = isCausedByTimeline
  }

  /** Whether it is the whole run. */
  get isWhole(): boolean {
    const { after, before, within } = this.#window
    return !after && !before && !within
  }

  /** Returns whether a moment, and what began before it, is within the window, before it or after it. */
  positionOf(moment: Moment, began = moment): 'within' | 'early' | 'late' {
    if (!this.#hasBegunBy(began)) return 'early'
    const { before, within } = this.#window
    const base = this.#base
    const mark = before && this.#milestones.of(before)
    const isLate = within && base !== undefined && moment.at > base + within.milliseconds
    return isLate || (mark && !isBefore(moment, mark)) ? 'late' : 'within'
  }

  /** Explains why a moment is outside the window. With `began`, both moments must be within the window. */
  differences(moment: Moment, began = moment): string[] {
    const place = this.positionOf(moment, began)
    if (place === 'within') return []
    const { after, before } = this.#window
    const outside = place === 'early' ? began : moment
    // Rounded up, so that a time that is too late never looks as if it were in time.
    const into = Math.ceil((outside.at - this.#milestones.start) / 1000) * 1000
    const marks = [after, before].flatMap((mark) => {
      return mark && mark.after === undefined ? [`; ${this.#came(mark, outside)}`] : []
    })
    return [
      `time: expected ${this.describe()}, found ${formatDuration(into)} into the story${marks.join('')}`,
    ]
  }

  /** Returns the instant at which the window ended; undefined if it has not ended by `now`. */
  endBy(now: number): number | undefined {
    const { before, within } = this.#window
    const base = this.#base
    const deadline = within && base !== undefined ? base + within.milliseconds : undefined
    const mark = before ? this.#milestones.of(before)?.at : undefined
    const ends = [deadline, mark].filter((end): end is number => end !== undefined && end < now)
    return ends.length === 0 ? undefined : Math.min(...ends)
  }

  /** The milestone that would have opened the window, if it was not reached. */
  get missing(): string | undefined {
    const { after } = this.#window
    return after && !this.#milestones.of(after) ? after.name : undefined
  }

  /** Describes it, e.g. `within 30s after press-stopped`; empty for the whole run. */
  describe(): string {
    const { after, before, within } = this.#window
    const from = within ? this.#span() : after ? `after ${after.name}` : ''
    return [from, before ? `before ${before.name}` : ''].filter((part) => part !== '').join(' and ')
  }

  /** The instant at which the window began; undefined if it has not. */
  get #base(): number | undefined {
    const { after } = this.#window
    return after ? this.#milestones.of(after)?.at : this.#milestones.start
  }

  #hasBegunBy(moment: Moment): boolean {
    const { after } = this.#window
    if (!after) return true
    const mark = this.#milestones.of(after)
    if (mark && this.#isCausedByTimeline && after.isEntry) return moment.at >= mark.at
    return mark !== undefined && isAfter(moment, mark)
  }

  #span(): string {
    const { after, within } = this.#window
    return `within ${within?.text} ${after ? `after ${after.name}` : 'of the start'}`
  }

  /** Says when a milestone came, and its order to a moment of the same time. */
  #came(mark: Milestone, moment: Moment): string {
    const found = this.#milestones.of(mark)
    if (!found) return `${mark.name} did not come`
    const order = found.at === moment.at ? (moment.seq < found.seq ? ', after this' : ', before this') : ''
    return `${mark.name} came ${formatDuration(found.at - this.#milestones.start)} into it${order}`
  }
}
