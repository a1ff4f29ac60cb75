import { differences, showValue } from '../simulator/matching.js'
import type { Simulator } from '../simulator/simulator.js'
import { CommandError, formatDuration, formatInstant, type StateExpectation } from '../world/index.js'
import { type Moment, TimeWindow } from './time-window.js'
import type { Observation, RunFacts, Tracker, TrackerResult } from './tracker.js'
import { describeValues, type ValueMatcher, valueMatchers } from './value-matcher.js'

type Fields = Readonly<Record<string, unknown>>

/** Follows the state of an agent, a thread or a message: at the end, or at any moment of a window. */
export class StateTracker implements Tracker {
  readonly expected: string
  readonly #expectation: StateExpectation
  readonly #facts: RunFacts
  readonly #window: TimeWindow
  readonly #wanted: Readonly<Record<string, ValueMatcher>>
  #cameTrueAt: Moment | undefined
  #tooLate: Moment | undefined

  constructor(expectation: StateExpectation, facts: RunFacts) {
    this.#expectation = expectation
    this.#facts = facts
    this.#window = new TimeWindow(expectation.window, facts.milestones)
    this.#wanted = valueMatchers(expectation.has, facts.patterns)
    const { name, has } = expectation
    const when = this.#window.isWhole ? 'at the end' : `at some moment ${this.#window.describe()}`
    this.expected = `${name} has ${describeValues(has)} ${when}`
  }

  get cameTrueAt(): Moment | undefined {
    return this.#cameTrueAt
  }

  get decided(): boolean {
    return !this.#window.isWhole && this.#cameTrueAt !== undefined
  }

  get problem(): string | undefined {
    return Object.values(this.#wanted).find(({ problem }) => problem)?.problem
  }

  observe({ type, moment }: Observation): void {
    if (type !== 'state' || this.#cameTrueAt) return
    const place = this.#window.positionOf(moment)
    if (place === 'early' || (place === 'late' && this.#tooLate)) return
    if (this.#differences(this.#fields()).length > 0) return
    if (place === 'within') this.#cameTrueAt = moment
    else this.#tooLate = moment
  }

  evaluate(end: number): TrackerResult {
    const fields = this.#fields()
    if (this.#window.isWhole) return this.#evaluateNow(fields, end)
    const came = this.#cameTrueAt
    if (came) return { passed: true, at: came.at, found: `that, ${this.#into(came)}`, nearest: null }
    return this.#evaluateMissed(fields, end)
  }

  #evaluateNow(fields: Fields | undefined, end: number): TrackerResult {
    const differing = this.#differences(fields)
    const passed = differing.length === 0
    const nearest = passed || !fields ? null : this.#nearest(end, differing)
    return { passed, found: this.#show(fields), nearest }
  }

  #evaluateMissed(fields: Fields | undefined, end: number): TrackerResult {
    const { missing } = this.#window
    const at = this.#window.endBy(end)
    const late = this.#tooLate
    if (late) {
      const nearest = this.#nearest(late.at, this.#window.differences(late))
      return { passed: false, at, found: `that, but only ${this.#into(late)}`, nearest }
    }
    const found = `${missing === undefined ? 'not once' : `${missing} did not come`}; at the end ${this.#show(fields)}`
    const nearest = fields ? this.#nearest(end, this.#differences(fields)) : null
    return { passed: false, at, found, nearest }
  }

  #fields(): Fields | undefined {
    const { kind, id } = this.#expectation
    return shown(this.#facts.simulator, kind, id)
  }

  #differences(fields: Fields | undefined): string[] {
    if (!fields) return ['it is not there']
    return Object.entries(this.#wanted).flatMap(([name, wanted]) => {
      return differences(name, wanted, fields[name] ?? null)
    })
  }

  #show(fields: Fields | undefined): string {
    if (!fields) return `there is no ${this.#expectation.name}`
    const names = Object.keys(this.#wanted)
    return names.map((name) => `${name}: ${showValue(fields[name] ?? null)}`).join(', ')
  }

  #into({ at }: Moment): string {
    return `${formatDuration(at - this.#facts.milestones.start)} into the story`
  }

  #nearest(at: number, lines: readonly string[]) {
    const { name, id } = this.#expectation
    return { line: `${name}, ${id}`, exchange: null, at: formatInstant(at), differences: lines }
  }
}

/** Returns a resource as the service shows it; undefined if there is none with that id. */
function shown(simulator: Simulator, kind: StateExpectation['kind'], id: string): Fields | undefined {
  try {
    if (kind === 'identity') return { ...simulator.identities.get(id) }
    return kind === 'thread' ? { ...simulator.threads.get(id) } : { ...simulator.mail.get(id) }
  } catch (error) {
    if (error instanceof CommandError && error.code === 'not-found') return undefined
    throw error
  }
}
