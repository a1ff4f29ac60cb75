import { once } from '../../base/once.js'
import { processorStopwatch, yieldToEventLoop } from '../../service/time/wall-time.js'
import { linearEngine, mayBacktrack, type PatternSource, type TextTest } from './linear-pattern.js'

/** The processor time that all patterns of a pass may take together, in milliseconds. */
const timeOfPass = 120

/**
 * The limits for matching one text, in milliseconds, after which the linear engine takes over, or the pattern is given up: the
 * latter halves with each pattern that takes it, down to the least for each so many characters.
 */
const timeOfText = { untilLinear: 10, linear: 80, most: 30, least: 1, characters: 50_000 }

/**
 * Limits the time that patterns take together, since matching blocks the whole process. A pass is what a process does
 * without answering others; each one has the same limit.
 */
export class PatternTime {
  #left = timeOfPass
  #renewing = false
  #timeout = timeOfText.most
  #context: object | undefined
  /** Resolves when what its patterns need is loaded. */
  ready: Promise<void> = Promise.resolve()

  /** Returns the limit for matching a text of a length, in milliseconds; ordinary patterns take microseconds. */
  limitFor(length: number): number {
    const least = Math.ceil((timeOfText.least * length) / timeOfText.characters)
    return Math.min(timeOfText.linear, Math.max(this.#timeout, least))
  }

  /** Notes that a pattern has taken its limit, and halves that of others, so that many such patterns cost little more than one. */
  timedOut(): void {
    this.#timeout = Math.max(timeOfText.least, Math.floor(this.#timeout / 2))
  }

  /** Whether a pattern of this story has taken its limit. */
  get isShort(): boolean {
    return this.#timeout < timeOfText.most
  }

  /** The milliseconds that are left. */
  get left(): number {
    return this.#left
  }

  /**
   * Returns a test that runs in a separate context, which Node can interrupt; undefined in a browser, which cannot. All use one
   * context, since it takes half a megabyte.
   */
  timed(code: string, names: { readonly [name: string]: TextTest } = {}): TimedTest | undefined {
    const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> }
    const vm = process?.getBuiltinModule?.('node:vm')
    if (!vm) return undefined
    this.#context ??= vm.createContext({})
    const context = this.#context
    const script = new vm.Script(code)
    return (text, timeout) => {
      Object.assign(context, names, { text })
      return script.runInContext(context, { timeout }) === true
    }
  }

  spend(milliseconds: number): void {
    this.#left -= milliseconds
    if (this.#renewing) return
    this.#renewing = true
    void yieldToEventLoop().then(() => {
      this.#left = timeOfPass
      this.#renewing = false
    })
  }
}

/** The length up to which a text is matched without limits by a pattern that does not backtrack: in microseconds. */
const shortText = 1_000

/** The milliseconds up to which a match does not count. */
const negligible = 0.1

/** Matches a text within some milliseconds. @throws an error of Node after them */
type TimedTest = (text: string, limit: number) => boolean

/** Thrown when a pattern takes longer than its limit. */
class PatternTimeout extends Error {
  constructor(limit: number, text: string) {
    super(`timed out after ${limit} ms on a text of ${text.length} characters; simplify it`)
  }
}

/**
 * A regular expression of a scenario with a time limit, since some take exponential time on some texts and
 * matching blocks the whole process. One that takes too long is matched by an engine that takes linear time. After a timeout of
 * one that has no form for this engine, or an error, it matches nothing.
 */
export class BoundedPattern {
  /** The first reason for which a text was not matched. */
  problem: string | undefined
  /** The reason for which the latest text was not matched. */
  latestProblem: string | undefined
  /** Whether it matches nothing any more. */
  #isBroken = false
  /** The expression and its flags. */
  readonly #source: PatternSource
  readonly #time: PatternTime
  readonly #limit: number | undefined
  readonly #mayBacktrack: boolean
  readonly #expression: () => RegExp
  readonly #native: () => TimedTest
  #linear: TimedTest | undefined

  /** `limit` overrides that of `time` for matching one text, in milliseconds. */
  constructor(source: PatternSource, time: PatternTime, limit: number | undefined) {
    this.#source = source
    this.#time = time
    this.#limit = limit
    this.#expression = once(() => new RegExp(source.matches, `u${source.flags}`))
    this.#native = once(() => nativeTest(source, time) ?? ((text) => this.#expression().test(text)))
    this.#mayBacktrack = mayBacktrack(source.matches)
    if (this.#mayBacktrack) time.ready = linearEngine().load()
  }

  test(text: string): boolean {
    if (this.#isBroken) return false
    this.latestProblem = undefined
    const isQuick = !this.#mayBacktrack && text.length <= shortText
    if (!isQuick && this.#time.left <= 0) {
      this.#note('was not tried: earlier patterns took too long')
      return false
    }
    const used = processorStopwatch()
    try {
      return isQuick ? this.#expression().test(text) : this.#matches(text)
    } catch (error) {
      const { message } = error as Error
      this.#note(error instanceof PatternTimeout ? message : `could not be matched: ${message}`)
      this.#isBroken = true
      return false
    } finally {
      const milliseconds = used()
      // Ordinary matches take microseconds.
      if (milliseconds > negligible) this.#time.spend(milliseconds)
    }
  }

  #note(reason: string): void {
    this.latestProblem = `the pattern /${this.#source.matches}/ ${reason}`
    this.problem ??= this.latestProblem
  }

  /** @throws PatternTimeout, or why it cannot be matched */
  #matches(text: string): boolean {
    const limit = this.#limit ?? this.#time.limitFor(text.length)
    if (!this.#mayBacktrack) return this.#within(limit, text, this.#native())
    if (!this.#linear && !this.#time.isShort) {
      try {
        return this.#within(Math.min(limit, timeOfText.untilLinear), text, this.#native())
      } catch (error) {
        if (!(error instanceof PatternTimeout)) throw error
      }
    }
    this.#linear ??= linearTest(this.#source, this.#time)
    return this.#linear
      ? this.#within(timeOfText.linear, text, this.#linear)
      : this.#within(limit, text, this.#native())
  }

  /** Matches a text, again if this process has not run for the limit. @throws PatternTimeout */
  #within(limit: number, text: string, match: TimedTest): boolean {
    const used = processorStopwatch()
    for (;;) {
      try {
        return match(text, limit)
      } catch (error) {
        if (!isTimeout(error)) throw error
        if (used() < limit) continue
        this.#time.timedOut()
        throw new PatternTimeout(limit, text)
      }
    }
  }
}

function isTimeout(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

function nativeTest({ matches, flags }: PatternSource, time: PatternTime): TimedTest | undefined {
  return time.timed(`new RegExp(${JSON.stringify(matches)}, 'u${flags}').test(text)`)
}

/** Returns the test of the linear engine; undefined if it has none. */
function linearTest(source: PatternSource, time: PatternTime): TimedTest | undefined {
  const test = linearEngine().testOf(source)
  return test && (time.timed('linear(text)', { linear: test }) ?? test)
}
