import type { Mark, StoryWindow } from '../../world/index.js'
import { formatDuration } from '../story-time.js'
import { isAfter, isBefore, type Moment, type StoryMoments } from './moment.js'

/** How something stands to a window: in it, before it has begun, or after it is over. */
export type Place = 'within' | 'early' | 'late'

/** The part of a story that counts for an expectation. */
export class TimeWindow {
  readonly #window: StoryWindow
  readonly #moments: StoryMoments
  readonly #isBrought: boolean

  /**
   * With `isBrought`, it is about what entries of the timeline bring: that is there just before its entry is told of,
   * and comes after it all the same.
   */
  constructor(window: StoryWindow, moments: StoryMoments, { isBrought = false } = {}) {
    this.#window = window
    this.#moments = moments
    this.#isBrought = isBrought
  }

  /** Whether it is the whole story. */
  get isWhole(): boolean {
    const { after, before, within } = this.#window
    return !after && !before && !within
  }

  /** Where something stands; what began at one moment and was there at another only counts if both are within. */
  placeOf(moment: Moment, began = moment): Place {
    if (!this.#hasBegunBy(began)) return 'early'
    return this.#isOverAt(moment) ? 'late' : 'within'
  }

  /** What keeps something out of the window, a line each, for people. */
  differences(moment: Moment, began = moment): string[] {
    if (!this.#hasBegunBy(began)) return [this.#tooEarly(began)]
    const { before, within } = this.#window
    const lines: string[] = []
    const base = this.#base
    if (within && base !== undefined && moment.at > base + within.milliseconds) {
      lines.push(`within: expected ${this.#span()}, found ${this.#since(base, moment)}`)
    }
    const mark = before && this.#moments.of(before)
    if (before && mark && !isBefore(moment, mark)) {
      lines.push(`before: expected before ${this.#named(before, mark)}, found ${this.#into(moment, mark)}`)
    }
    return lines
  }

  /** When it was over, as far as the story has got; undefined where it is not. */
  endBy(now: number): number | undefined {
    const { before, within } = this.#window
    const base = this.#base
    const deadline = within && base !== undefined ? base + within.milliseconds : undefined
    const mark = before ? this.#moments.of(before)?.at : undefined
    const ends = [deadline, mark].filter((end): end is number => end !== undefined && end < now)
    return ends.length === 0 ? undefined : Math.min(...ends)
  }

  /** What had to happen for it to begin, where that did not happen. */
  get missing(): string | undefined {
    const { after } = this.#window
    return after && !this.#moments.of(after) ? after.name : undefined
  }

  /** In words: `within 30s after press-stopped`; nothing for the whole story. */
  describe(): string {
    const { after, before, within } = this.#window
    const from = within ? this.#span() : after ? `after ${after.name}` : ''
    return [from, before ? `before ${before.name}` : ''].filter((part) => part !== '').join(' and ')
  }

  /** The moment it begins at, where it has. */
  get #base(): number | undefined {
    const { after } = this.#window
    return after ? this.#moments.of(after)?.at : this.#moments.start
  }

  #hasBegunBy(moment: Moment): boolean {
    const { after } = this.#window
    if (!after) return true
    const mark = this.#moments.of(after)
    if (mark && this.#isBrought && after.kind === 'entry') return moment.at >= mark.at
    return mark !== undefined && isAfter(moment, mark)
  }

  #isOverAt(moment: Moment): boolean {
    const { before, within } = this.#window
    const base = this.#base
    if (within && base !== undefined && moment.at > base + within.milliseconds) return true
    const mark = before && this.#moments.of(before)
    return mark ? !isBefore(moment, mark) : false
  }

  #tooEarly(moment: Moment): string {
    const after = this.#window.after as Mark
    const mark = this.#moments.of(after)
    const wanted = mark ? this.#named(after, mark) : `${after.name} (which did not come)`
    return `after: expected after ${wanted}, found ${this.#into(moment, mark)}`
  }

  #span(): string {
    const { after, within } = this.#window
    return `within ${within?.text} ${after ? `after ${after.name}` : 'of the start'}`
  }

  /** Rounded up, so that what is too late never looks as if it were in time. */
  #since(base: number, { at }: Moment): string {
    const { after } = this.#window
    const late = Math.ceil((at - base) / 1000) * 1000
    return `${formatDuration(late)} after ${after ? after.name : 'the start'}`
  }

  #named({ name }: Mark, { at }: Moment): string {
    return `${name} (${formatDuration(at - this.#moments.start)} into the story)`
  }

  #into({ at, seq }: Moment, mark: Moment | undefined): string {
    if (at === mark?.at) return `the same time, ${seq < mark.seq ? 'before' : 'after'} it`
    return `${formatDuration(at - this.#moments.start)} into it`
  }
}
