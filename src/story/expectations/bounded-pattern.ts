import { processorStopwatch, yieldToEventLoop } from '../../service/time/index.js'

/** The processor time that all patterns of a pass may take together, in milliseconds. */
const timeOfPass = 150

/** The limits for matching one text, in milliseconds: at first, and after many that took too long, for each 50,000 characters. */
const timeOfText = { most: 100, least: 1, characters: 50_000 }

/**
 * Limits the time that patterns take together, since matching blocks the whole process. A pass is what a process does
 * without answering others; each one has the same limit.
 */
export class PatternTime {
  #left = timeOfPass
  #renewing = false
  #timeout = timeOfText.most
  #context: object | undefined

  /** Returns the limit for matching a text of a length, in milliseconds; ordinary patterns take microseconds. */
  limitFor(length: number): number {
    return Math.max(this.#timeout, Math.ceil((timeOfText.least * length) / timeOfText.characters))
  }

  /** Notes that a pattern has taken its limit, and halves that of others, so that many such patterns cost little more than one. */
  timedOut(milliseconds: number): void {
    this.spend(milliseconds)
    this.#timeout = Math.max(timeOfText.least, Math.floor(this.#timeout / 2))
  }

  /** The milliseconds that are left. */
  get left(): number {
    return this.#left
  }

  /** Returns the context in which all patterns are matched, since one takes half a megabyte. */
  context(create: () => object): object {
    this.#context ??= create()
    return this.#context
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

/** The milliseconds up to which a match does not count. */
const negligible = 0.1

/** A regular expression in the form that a scenario has. */
interface PatternSource {
  readonly matches: string
  readonly flags: string
}

/**
 * A regular expression of a scenario with a time limit, since some take exponential time on some texts and
 * matching blocks the whole process. After a timeout or an error, it matches nothing.
 */
export class BoundedPattern {
  /** The first reason for which a text was not matched. */
  problem: string | undefined
  /** Whether it matches nothing any more. */
  #isBroken = false
  /** The expression and its flags. */
  readonly #source: PatternSource
  readonly #time: PatternTime
  readonly #timeout: number | undefined
  #match: ((text: string, timeout: number) => boolean) | undefined

  constructor(source: PatternSource, time: PatternTime, timeout: number | undefined) {
    this.#source = source
    this.#time = time
    this.#timeout = timeout
  }

  test(text: string): boolean {
    if (this.#isBroken) return false
    if (this.#time.left <= 0) {
      this.problem ??= `the pattern /${this.#source.matches}/ was not tried: earlier patterns took too long`
      return false
    }
    const timeout = this.#timeout ?? this.#time.limitFor(text.length)
    try {
      this.#match ??= compile(this.#source, this.#time)
      return this.#matchWithin(text, timeout, this.#match)
    } catch (error) {
      const reason = isTimeout(error)
        ? `timed out after ${timeout} ms on a text of ${text.length} characters; simplify it`
        : `could not be matched: ${(error as Error).message}`
      this.#isBroken = true
      this.problem ??= `the pattern /${this.#source.matches}/ ${reason}`
      return false
    }
  }

  /** Matches a text, again if the machine was too busy to run this process for half of the timeout. @throws Error after it */
  #matchWithin(text: string, timeout: number, match: (text: string, timeout: number) => boolean): boolean {
    const used = processorStopwatch()
    for (;;) {
      try {
        const matches = match(text, timeout)
        const milliseconds = used()
        // Ordinary matches take microseconds.
        if (milliseconds > negligible) this.#time.spend(milliseconds)
        return matches
      } catch (error) {
        if (!isTimeout(error)) throw error
        if (used() < timeout / 2) continue
        this.#time.timedOut(timeout)
        throw error
      }
    }
  }
}

function isTimeout(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

/** Creates a matcher that runs a pattern in a separate context, which Node can interrupt; a browser cannot. */
function compile(
  { matches, flags }: PatternSource,
  time: PatternTime,
): (text: string, timeout: number) => boolean {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> }
  const vm = process?.getBuiltinModule?.('node:vm')
  if (!vm) {
    const pattern = new RegExp(matches, `u${flags}`)
    return (text) => pattern.test(text)
  }
  const context = time.context(() => vm.createContext({ text: '' })) as { text: string }
  const script = new vm.Script(`new RegExp(${JSON.stringify(matches)}, 'u${flags}').test(text)`)
  return (text, timeout) => {
    context.text = text
    return script.runInContext(context, { timeout }) === true
  }
}
