import type { AgentWait, PacedAgent, ThinkTime } from '../../doors/pace/agent.js'
import type { RequestGate } from '../../doors/pace/request-gate.js'
import { stopwatch, Timers, yieldToEventLoop } from '../../service/time/wall-time.js'
import { membersOf, runsBeside, sleeps } from '../agent/group-members.js'
import type { Lockstep } from './lockstep.js'
import type { ObservedProcess, Observers } from './observers.js'

/** What an observed agent depends on. */
export interface ObservedAgentOptions {
  readonly observers: Observers
  readonly gate: RequestGate
  /** The process groups of its command, one for each copy that runs; undefined before it has started for the first time. */
  readonly groups: () => ReadonlySet<number> | undefined
  /** Returns whether its command is being stopped or started again. */
  readonly isChanging: () => boolean
  /** Lets the requests of several copies pass in turn. */
  readonly lockstep: Lockstep
  /** Aborted when its command has ended. */
  readonly ended: AbortSignal
  /** Returns whether a delivery is about to be sent. */
  readonly isPreparing: () => boolean
  /** Returns the number of requests that the server has not yet answered completely. */
  readonly answering: () => number
  /** Returns the number of requests to the server so far, also of those to the control API. */
  readonly requests: () => number
  /** Returns the number of requests whose response waits for story time to move. */
  readonly held: () => number
  /** Returns the number of deliveries that are in flight. */
  readonly delivering: () => number
  /** Returns what happened in the world so far, as a number that grows. */
  readonly events: () => number
  /** Milliseconds of wall time for which an agent has to be quiet if it cannot be seen whether it works. */
  readonly patience: number
  /** The same for one that only waits, in wall time, since its waits cannot be skipped; as long by default. */
  readonly waitPatience?: number | undefined
  /** The instant of story time at which the play began, in milliseconds since the epoch. */
  readonly began: () => number
  readonly now: () => number
  /** The date that the agent sees when the play begins. */
  readonly date: number
  /** Story time in milliseconds that it owes for each question to somebody else. */
  readonly thinkTime?: ThinkTime | undefined
  /** Called with whether it only waits, in wall time, since its waits cannot be skipped. */
  readonly onWaiting?: ((isWaiting: boolean) => void) | undefined
  /** Called when it works for long, with what it works at. */
  readonly onWorking?: ((what: string, milliseconds: number) => void) | undefined
}

/** What an agent does, as seen at one time. */
interface Sight {
  /** What it certainly works at. */
  readonly works: string | undefined
  /** Whether a request to the service is in progress. */
  readonly isAsking: boolean
  /** What it perhaps works at. */
  readonly maybe: string | undefined
  readonly waits: readonly AgentWait[]
  /** The same as long as nothing happens. */
  readonly mark: string
}

/** Milliseconds of wall time after which a copy that does something unknown, or says nothing, is taken to wait for another. */
const [longestBlock, longestSilence] = [100, 1_000]

/** What processes without an observer perhaps do. */
interface Unseen {
  readonly maybe: string[]
  /** The same as long as nothing happens. */
  readonly mark: string[]
}

/** What an agent does whose waits pass in wall time. */
const unknownWait = 'a wait'

/** What a process does that answers nothing any more. */
const unreturning = 'code that does not return'

/** What a process does in threads of which its runtime knows nothing, such as those of a native module. */
const nativeCode = 'native code'

/** What an agent does that has just been started. */
const startOf = 'the start of the command'

/** How many times as long as its patience an agent may use its processor unseen without anything else. */
const longestUnseen = 10

/** Processor time of a process without an observer that counts as activity, in ticks of a hundredth of a second. */
const activeTicks = 16

/** Requests, and milliseconds of wall time, after which requests are no work if they do not even enter the journal. */
const [mostLooks, longestLooking] = [20, 2_000]

/** Milliseconds between two looks at an agent that works: at first, and at most. */
const pauses = { first: 1, most: 50 }

/** An agent whose processes are seen by observers, as far as they have some. */
export class ObservedAgent implements PacedAgent {
  readonly #options: ObservedAgentOptions
  readonly #timers = new Timers()
  /** Milliseconds of wall time for which it worked. */
  worked = 0
  /** What it worked at when it was last waited for in vain; undefined if it was not seen to work. */
  lastWork: string | undefined
  /** How often it counted as resting since it was quiet for long. */
  patienceUsed = 0
  /** Whether its own code has looked at the date. */
  readsDate = false
  owed = 0
  /** How late in the story it was last told that it is, in milliseconds since the play began. */
  told = 0
  #changed = new AbortController()
  #hinted = false
  #sinceActivity = stopwatch()
  /** Since something happened in the world, or it asked somebody else, and the number of requests until then. */
  #sinceNews = stopwatch()
  #requestsThen = 0
  #events = 0
  /** Processes that are certainly not of a group. */
  readonly #others = new Map<number, Set<string>>()
  /** The groups that had an observed process. */
  readonly #met = new Set<number>()

  constructor(options: ObservedAgentOptions) {
    this.#options = options
    const { date, gate, observers, thinkTime } = options
    observers.writeMoment(this.told, date)
    gate.onActivity = () => this.noteChange()
    if (typeof thinkTime === 'number') gate.isClosed = () => this.owed > 0
  }

  get gone(): boolean {
    return this.#options.ended.aborted
  }

  /** Looks again soon, since something happened. */
  noteChange(): void {
    this.#hinted = true
    this.#changed.abort('changed')
  }

  /** Notes that the agent does something that no observer tells. */
  noteActivity(): void {
    this.#sinceActivity = stopwatch()
    this.#noteNews()
    this.noteChange()
  }

  /** Notes that it asks somebody else, which takes the time that such a question takes. */
  noteQuestion(): void {
    const { thinkTime, gate } = this.#options
    if (typeof thinkTime === 'number') this.owed += thinkTime
    this.#noteNews()
    gate.noteQuestion()
    this.noteChange()
  }

  takeOwed(): number {
    const owed = this.owed
    this.owed = 0
    return owed
  }

  async rests(signal: AbortSignal): Promise<readonly AgentWait[]> {
    const { ended, gate, observers, lockstep, onWorking } = this.#options
    const over = AbortSignal.any([signal, ended])
    const worked = stopwatch()
    this.#sinceActivity = stopwatch()
    this.#noteNews()
    let [mark, pause, wasResting] = ['', pauses.first, false]
    let what: string | undefined
    while (!over.aborted) {
      gate.most = observers.seen.size > 0 ? 3 : 2
      const looking = stopwatch()
      const { maybe, waits, isAsking, ...sight } = await this.#lookInTurn(over)
      const isLooking = this.#isLooking()
      const isSame = sight.mark === mark
      mark = sight.mark
      const works =
        sight.works ??
        (isAsking && !isLooking ? 'a request to the service' : undefined) ??
        (wasResting && isSame && !maybe && this.#runsNatively() ? nativeCode : undefined)
      if (!over.aborted) what = works
      else if (looking() >= longestSilence) what = unreturning
      if (!isSame) this.#sinceActivity = stopwatch()
      if (this.owed > 0 && gate.waiting > 0) return waits
      this.#options.onWaiting?.(!works && maybe === unknownWait)
      // One look proves nothing: what was sent just before may not have arrived when it began.
      const isResting = !works && !maybe
      const isQuiet = isResting && ((wasResting && isSame) || isLooking)
      if (lockstep.waiting > 0 && (isQuiet || this.#isBlocked(works, maybe))) {
        // Each copy that is due comes to its own request before the first of them passes.
        if (!(await this.#fireNext())) lockstep.passNext()
        wasResting = false
        continue
      }
      if (isQuiet) {
        this.worked += worked()
        return waits
      }
      if (!works && maybe && this.#isPatient(maybe)) {
        this.worked += worked() - this.#sinceActivity()
        return waits
      }
      wasResting = isResting
      if (isResting) {
        // The second look follows once everything that has arrived was handled.
        for (let turn = 0; turn < 4; turn++) await yieldToEventLoop()
        continue
      }
      onWorking?.((works ?? maybe) as string, worked())
      await this.#pause(isSame ? pause : pauses.first, over)
      pause = isSame ? Math.min(pauses.most, 2 * pause) : pauses.first
    }
    if (signal.aborted) {
      this.lastWork = what
      this.worked += worked()
    }
    return []
  }

  /** Returns whether one copy of it probably waits for another, whose request waits for its turn. */
  #isBlocked(works: string | undefined, maybe: string | undefined): boolean {
    // A question to somebody else may be for a lock that the other copy has.
    const isKnown = works !== undefined || maybe === startOf || maybe === undefined
    return this.#sinceActivity() >= (isKnown ? this.#options.patience : longestBlock)
  }

  /** Looks at it; a process that sleeps and does not answer may wait for another copy, whose request waits for its turn. */
  async #lookInTurn(over: AbortSignal): Promise<Sight> {
    const { groups, lockstep } = this.#options
    const looking = this.#look()
    while (lockstep.isActive && !over.aborted) {
      const seen = new AbortController()
      const late = this.#timers.wait(longestSilence, AbortSignal.any([over, seen.signal]))
      // What has arrived by then is read first.
      const sight = await Promise.race([looking, late.then(yieldToEventLoop)])
      seen.abort()
      if (sight) return sight
      const members = [...(groups() ?? [])].flatMap((group) => membersOf(group) ?? [])
      if (members.every(sleeps)) lockstep.passNext()
    }
    return looking
  }

  /** Returns whether the agent rests although it cannot be seen: it asks again for all it has seen, or is quiet. */
  #isPatient(maybe: string): boolean {
    const { gate, answering, held, patience, waitPatience = patience } = this.#options
    // The other copy of one that has just been started says nothing about it.
    if (maybe !== startOf && gate.waiting > 0 && answering() <= held()) return true
    const isWaiting = maybe === unknownWait
    const isQuiet = this.#sinceActivity() >= (isWaiting ? waitPatience : patience)
    if (!isQuiet && this.#sinceNews() < longestUnseen * patience) return false
    if (!isWaiting) this.patienceUsed++
    return true
  }

  /** Returns whether a process that is observed works in threads that no observer sees. */
  #runsNatively(): boolean {
    return this.#options.observers.processes.some(runsBeside)
  }

  /** Returns whether it looks at the control API until something happens: it would otherwise wait for ever. */
  #isLooking(): boolean {
    const looks = this.#options.requests() - this.#requestsThen
    return looks >= mostLooks && this.#sinceNews() >= longestLooking
  }

  #noteNews(): void {
    this.#sinceNews = stopwatch()
    this.#requestsThen = this.#options.requests()
  }

  tell(now: number): void {
    const { observers, began, date } = this.#options
    this.told = now - began()
    observers.writeMoment(this.told, date)
    for (const one of observers.processes) one.tell(this.told, date)
  }

  async moved(now: number): Promise<void> {
    this.tell(now)
    const fired = stopwatch()
    await this.#fireNext()
    if (fired() >= longestSilence) this.lastWork = unreturning
  }

  /**
   * Ends the waits of one process that are due, if there is one: one at a time, so that the order of what follows does not
   * depend on the machine.
   */
  async #fireNext(): Promise<boolean> {
    const due = this.#options.observers.processes.find(({ state, vain }) => {
      return vain < 2 && state?.waits.some(([at]) => at !== null && at <= this.told)
    })
    await due?.fire(this.told)
    return due !== undefined
  }

  /** Tells a process that has just joined how late it is. */
  welcome(process: ObservedProcess): void {
    const { now, began, date } = this.#options
    process.tell(now() - began(), date)
  }

  async #look(): Promise<Sight> {
    const { observers, gate, held, isPreparing, isChanging, delivering, events, began } = this.#options
    const { processes } = observers
    const states = await Promise.all(processes.map((one) => one.probe()))
    const known = states.filter((state) => state !== undefined)
    const listens = new Set(known.flatMap(({ listens }) => listens.map(String)))
    const asks = known.flatMap((state) => state.asks).filter(({ to }) => !listens.has(to.replace(/.*:/, '')))
    const own = known.reduce((sum, state) => sum + state.own, 0)
    // A compiler that nobody waits for may still have to compile an agent that has done nothing yet.
    const idle = gate.exchanges > 0 ? known.flatMap((state) => state.idle ?? []) : []
    const unseen = this.#unseen(new Set([...processes.map(({ pid }) => pid), ...idle]))
    const works = [
      ...known.flatMap(({ works }) => works ?? []),
      ...asks.map(({ what }) => what),
      ...(isPreparing() ? ['a delivery that is about to be sent'] : []),
      ...(isChanging() ? ['another start of the command'] : []),
      ...(known.length < states.length ? ['a process that ends'] : []),
    ]
    const maybe = [...known.flatMap(({ maybe }) => maybe ?? []), ...unseen.maybe]
    this.readsDate ||= known.some(({ readsDate = false }) => readsDate)
    const waits = known.flatMap(({ waits: all, looked }) => {
      return all.map(([due, duration]): AgentWait => {
        if (due === null) return { due: undefined, duration }
        // A look before a wait of the same moment is one of the same round; a time-out that ends meanwhile is none.
        const looksAtTime = typeof looked === 'number' && looked >= Math.floor(due - duration)
        return { due: began() + due, duration, looksAtTime }
      })
    })
    if (waits.some(({ due }) => due === undefined)) maybe.push(unknownWait)
    const activities = processes.map(({ pid, state }) => `${pid}:${state?.activity}`)
    if (events() !== this.#events) this.#noteNews()
    this.#events = events()
    const mark = [...activities, ...unseen.mark, this.#events, delivering(), gate.held, own].join(' ')
    return { works: works[0], isAsking: own > held(), maybe: maybe[0], waits, mark }
  }

  /**
   * Looks at the processes of the command that are neither observed nor idle: those that only wait for another one do not
   * count.
   */
  #unseen(observed: ReadonlySet<number>): Unseen {
    const groups = this.#options.groups()
    if (groups === undefined) return { maybe: [startOf], mark: [] }
    const all = [...groups].map((group) => this.#unseenOf(group, observed))
    return { maybe: all.flatMap(({ maybe }) => maybe), mark: all.flatMap(({ mark }) => mark) }
  }

  #unseenOf(group: number, observed: ReadonlySet<number>): Unseen {
    const others = this.#others.get(group) ?? new Set()
    this.#others.set(group, others)
    const members = membersOf(group, others)
    if (!members) return { maybe: observed.size === 0 ? ['a process that is not observed'] : [], mark: [] }
    // Its end is about to be known.
    if (members.length === 0) return { maybe: ['the end of the command'], mark: [] }
    if (members.some(({ pid }) => observed.has(pid))) this.#met.add(group)
    const parents = new Set(members.map(({ parent }) => parent))
    const unseen = members.filter(
      ({ pid, state }) => !observed.has(pid) && !(parents.has(pid) && state === 'S'),
    )
    const isStarting = this.#met.size > 0 && !this.#met.has(group)
    return {
      maybe: unseen.map(({ name, pid }) => {
        return isStarting ? startOf : `${name}, process ${pid}, which is not observed`
      }),
      mark: unseen.map(({ pid, ticks }) => `${pid}/${Math.floor(ticks / activeTicks)}`),
    }
  }

  async #pause(milliseconds: number, over: AbortSignal): Promise<void> {
    if (this.#hinted) {
      this.#hinted = false
      return yieldToEventLoop()
    }
    this.#changed = new AbortController()
    await this.#timers.wait(milliseconds, AbortSignal.any([over, this.#changed.signal]))
  }
}
