import { differences, showValue } from '../../simulator/matching.js'
import type { Simulator } from '../../simulator/simulator.js'
import { CommandError, formatInstant, type StateExpectation } from '../../world/index.js'
import { formatDuration } from '../story-time.js'
import type { Moment } from './moment.js'
import { TimeWindow } from './time-window.js'
import { describeWanted, type WantedValue, wantedValues } from './wanted-value.js'
import type { Finding, News, Story, Watch } from './watch.js'

type Fields = Readonly<Record<string, unknown>>

/** Watches the state of an agent, a thread or a message: as it is at the end, or at some moment of a window. */
export class StateWatch implements Watch {
  readonly expected: string
  readonly #expectation: StateExpectation
  readonly #story: Story
  readonly #window: TimeWindow
  readonly #wanted: Readonly<Record<string, WantedValue>>
  #cameTrue: Moment | undefined
  #tooLate: Moment | undefined

  constructor(expectation: StateExpectation, story: Story) {
    this.#expectation = expectation
    this.#story = story
    this.#window = new TimeWindow(expectation.window, story.moments)
    this.#wanted = wantedValues(expectation.has)
    const { name, has } = expectation
    const when = this.#window.isWhole ? 'at the end' : `at some moment ${this.#window.describe()}`
    this.expected = `${name} has ${describeWanted(has)} ${when}`
  }

  get cameTrue(): Moment | undefined {
    return this.#cameTrue
  }

  get decided(): boolean {
    return !this.#window.isWhole && this.#cameTrue !== undefined
  }

  take({ type, moment }: News): void {
    if (type !== 'state' || this.#cameTrue) return
    const place = this.#window.placeOf(moment)
    if (place === 'early' || (place === 'late' && this.#tooLate)) return
    if (this.#differences(this.#fields()).length > 0) return
    if (place === 'within') this.#cameTrue = moment
    else this.#tooLate = moment
  }

  judge(end: number): Finding {
    const fields = this.#fields()
    if (this.#window.isWhole) return this.#judgeNow(fields, end)
    const came = this.#cameTrue
    if (came) return { passed: true, at: came.at, found: `that, ${this.#into(came)}`, nearest: null }
    return this.#judgeMissed(fields, end)
  }

  #judgeNow(fields: Fields | undefined, end: number): Finding {
    const differing = this.#differences(fields)
    const passed = differing.length === 0
    const nearest = passed || !fields ? null : this.#nearest(end, differing)
    return { passed, found: this.#show(fields), nearest }
  }

  #judgeMissed(fields: Fields | undefined, end: number): Finding {
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
    return shown(this.#story.simulator, kind, id)
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
    return `${formatDuration(at - this.#story.moments.start)} into the story`
  }

  #nearest(at: number, lines: readonly string[]) {
    const { name, id } = this.#expectation
    return { line: `${name}, ${id}`, exchange: null, at: formatInstant(at), differences: lines }
  }
}

/** A resource as the service shows it; undefined where there is none of that id. */
function shown(simulator: Simulator, kind: StateExpectation['kind'], id: string): Fields | undefined {
  try {
    if (kind === 'identity') return { ...simulator.identities.get(id) }
    return kind === 'thread' ? { ...simulator.threads.get(id) } : { ...simulator.mail.get(id) }
  } catch (error) {
    if (error instanceof CommandError && error.code === 'not-found') return undefined
    throw error
  }
}
