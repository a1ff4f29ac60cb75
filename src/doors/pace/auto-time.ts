import { Timers } from '../../service/time/wall-time.js'
import type { KeptCommand } from '../../service/world/journal.js'
import type { World } from '../../service/world/world.js'
import type { AgentWait, PacedAgent, ThinkTime } from './agent.js'
import type { RequestGate } from './request-gate.js'

/** A jump of story time over a span in which its agent rested, in milliseconds since the epoch. */
export interface TimeJump {
  readonly from: number
  readonly to: number
  /** What was due then: the end of a wait of the agent, an entry or other thing of the story, or the end of the story. */
  readonly why: 'wait' | 'entry' | 'end'
}

/** The parts of a story that is told in the agent's own time. */
export interface AutoTimeOptions {
  readonly world: World
  readonly agent: PacedAgent
  readonly gate: RequestGate
  /** Returns the instant at which the story ends, in milliseconds since the epoch. */
  readonly end: () => number
  /** How much story time passes while the agent works: as much as wall time, or what it owes for each question it asks. */
  readonly thinkTime?: ThinkTime | undefined
  /**
   * How long beyond the end an agent's own waits are still played, in milliseconds of story time; so long again after each
   * thing that it had not dealt with before.
   */
  readonly overtime: () => number
  /** After how many rounds without anything new an agent is not woken any more after the end; as before it by default. */
  readonly lateRounds?: number | undefined
  /** Called with each jump. */
  readonly onJump?: (jump: TimeJump) => void
}

/** Milliseconds of wall time between two looks at a story in which nothing is due. */
const idlePause = 50

/** How often an agent is woken after the end of its story, if each round brings something new but is like one before. */
const mostLate = 100

/** How many times the overtime an agent has that still works through what it has not dealt with. */
const longestBacklog = 24

/**
 * The number of rounds without anything new after which an agent that polls is woken for its own sake only if it looks at the
 * time, and ever more seldom.
 */
const idleRounds = 2

/**
 * How many rounds without a request an agent has before its waits count as polling, too: it may sleep in slices before it goes on.
 * The first number is for all waits of a duration until a request follows one, since they may be a heartbeat; the second for
 * those since something new happened.
 */
const silentRounds = { ofDuration: 300, sinceNews: 20 }

/** How much longer each pause between such rounds is than the one before. */
const stretch = 1.5

/** For how long after the end mail may be unanswered because an agent waits until its thread is quiet, in milliseconds of story time. */
const longestQuiet = 600_000

/** The longest of these pauses in a story without an end, in milliseconds of story time. */
const longestPause = 3_600_000

/**
 * Lets story time stand still while an agent works, and jump to what is due next while it rests: an entry, a retry, the end
 * of a fault, or the end of a wait of the agent itself.
 */
export class AutoTime {
  readonly #options: AutoTimeOptions
  /** Story time that passed while the agent waited for it, in milliseconds. */
  skipped = 0
  readonly #timers = new Timers()
  #idle = 0
  /** How many rounds without a request followed waits of a duration, and how many there were since something new happened. */
  readonly #silentAfter = new Map<number, number>()
  #silent = 0
  /** Its requests until the last round. */
  #exchanges = 0
  /** How often the agent was woken after the end since it last did something unlike all before, and when it did. */
  #late = 0
  #progressed = 0
  /** The longest wait of an agent that polls, and brings nothing new. */
  #polling = 0
  /** The pause until its next round, in milliseconds of story time. */
  #pause = 0
  #woken: readonly AgentWait[] = []

  constructor(options: AutoTimeOptions) {
    this.#options = options
    const { world, gate, end } = options
    // Beyond the end, an agent that moves the story itself would go on for ever.
    gate.instant = () => (world.clock.mode === 'auto' ? Math.min(world.clock.now(), end()) : 0)
  }

  /** Tells the story until its end, until the agent has ended, or until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { world, agent, gate, end } = this.#options
    while (!signal.aborted) {
      if (this.#options.thinkTime === 'real') world.clock.setMode('real')
      const waits = await agent.rests(signal)
      if (world.clock.mode !== 'auto') world.clock.setMode('auto')
      if (signal.aborted || agent.gone) return
      if (agent.owed > 0) {
        await this.#passThinking(agent.takeOwed())
        continue
      }
      this.#countRound(gate.takeNews(world.clock.now() >= end()), waits)
      this.#countProgress(gate.takeProgress())
      const { clock } = world
      const [now, due, wake] = [clock.now(), clock.nextDue, this.#nextWakeOf(waits)]
      const next = Math.max(now, Math.min(due !== undefined && due <= end() ? due : Infinity, wake))
      if (next === Infinity && end() === Infinity) {
        // Nothing is due before somebody acts.
        await this.#timers.wait(idlePause, signal)
        continue
      }
      if (next > end() && this.#mayAskAgain()) {
        gate.open()
        continue
      }
      if (next > end() && (wake === Infinity || next > this.#latest)) return
      if (next > end() && ++this.#late > Math.max(mostLate, this.#options.lateRounds ?? 0)) return
      const isStory = due !== undefined && due <= next
      if (isStory) this.#restartRounds()
      this.#woken = waits.filter((wait) => (wait.due ?? Infinity) <= next)
      await this.advanceTo(next, isStory ? 'entry' : 'wait', waits)
      if (isStory) gate.noteNews()
      const wasHeld = gate.waiting > 0
      gate.open()
      if (wasHeld && agent.tell) {
        // Requests that were held get their responses before their time-outs can end.
        agent.tell(next)
        await agent.rests(signal)
      }
      await agent.moved(next)
    }
  }

  /** Returns whether an agent whose next request is held may go on after the end: it may ask equally some times, and then end. */
  #mayAskAgain(): boolean {
    const { gate, lateRounds = 0 } = this.#options
    return gate.waiting > 0 && ++this.#late <= lateRounds
  }

  /** Moves the story to an instant for a reason, while the agent has these waits; what is due there happens. */
  async advanceTo(instant: number, why: TimeJump['why'], waits: readonly AgentWait[] = []): Promise<void> {
    const { world, onJump } = this.#options
    const from = world.clock.now()
    if (waits.length > 0) this.skipped += instant - from
    if (instant > from) onJump?.({ from, to: instant, why })
    await world.clock.advanceTo(instant)
  }

  /** Lets some time pass for what the agent thought; what is due meanwhile happens. */
  async #passThinking(duration: number): Promise<void> {
    const { world, agent, gate } = this.#options
    const until = world.clock.now() + duration
    for (let now = world.clock.now(); now < until; now = world.clock.now()) {
      const next = Math.min(until, world.clock.nextDue ?? until)
      await world.clock.advanceTo(next)
      await agent.moved(next)
    }
    gate.open()
  }

  /**
   * Returns when the agent has to be woken for its own sake. Polling that brings nothing new is left out, or becomes rare if
   * the agent looks at the time meanwhile: it may act once nothing new has come for a while, and if mail is unanswered, once
   * after the end of the story.
   */
  #nextWakeOf(waits: readonly AgentWait[]): number {
    const now = this.#options.world.clock.now()
    const end = this.#options.end()
    // Only then: it looks at all commands so far.
    const mayBeLate = waits.some(
      ({ due = Infinity, looksAtTime }) => looksAtTime && (due > end || now >= end),
    )
    const last =
      mayBeLate && hasUnanswered(this.#options.world) ? Math.min(end + longestQuiet, this.#latest) : end
    const rare = this.#pause > longestPause && end === Infinity ? now : Math.min(now + this.#pause, end)
    const next = now < end ? rare : last
    const wakeOf = ({ due = Infinity, duration, looksAtTime }: AgentWait): number => {
      if (duration > this.#polling) return due
      return !looksAtTime || due > last || next <= now ? Infinity : Math.max(due, next)
    }
    return Math.min(...waits.map(wakeOf))
  }

  /** The instant after which an agent is not woken any more for its own sake. */
  get #latest(): number {
    const [end, overtime] = [this.#options.end(), this.#options.overtime()]
    return Math.min(Math.max(end, this.#progressed) + overtime, end + longestBacklog * overtime)
  }

  /** An agent that is at work on a backlog when the story ends has not yet shown what it makes of the last entries. */
  #countProgress(isFurther: boolean): void {
    if (!isFurther || this.#options.overtime() === 0) return
    this.#late = 0
    this.#progressed = this.#options.world.clock.now()
  }

  #countRound(isNew: boolean, waits: readonly AgentWait[]): void {
    if (isNew) this.#restartRounds()
    if (isNew || this.#woken.length === 0) return
    // Of several processes that are due at an instant, one is woken at a time.
    const isLeft = (woken: AgentWait): boolean => {
      return waits.some(({ due, duration }) => due === woken.due && duration === woken.duration)
    }
    const ended = this.#woken.filter((wait) => !isLeft(wait))
    const polled = Math.max(...(ended.length > 0 ? ended : this.#woken).map(({ duration }) => duration))
    if (this.#isAtWork(polled)) return
    this.#idle++
    const { world, end, lateRounds = idleRounds } = this.#options
    if (this.#idle < (world.clock.now() >= end() ? lateRounds : idleRounds)) return
    this.#polling = Math.max(this.#polling, polled)
    this.#pause = this.#polling * Math.max(1, Math.ceil((this.#pause * stretch) / this.#polling))
  }

  /** Returns whether an agent that asks nothing after a wait may still be about to do something. */
  #isAtWork(duration: number): boolean {
    const { exchanges, waiting } = this.#options.gate
    const asks = exchanges !== this.#exchanges || waiting > 0
    this.#exchanges = exchanges
    const silent = asks ? 0 : (this.#silentAfter.get(duration) ?? 0) + 1
    this.#silentAfter.set(duration, silent)
    return !asks && (silent <= silentRounds.ofDuration || ++this.#silent <= silentRounds.sinceNews)
  }

  #restartRounds(): void {
    this.#silent = 0
    this.#idle = 0
    this.#polling = 0
    this.#pause = 0
  }
}

/** Returns whether a message arrived in a thread in which nothing was sent since. */
function hasUnanswered({ journal, store }: World): boolean {
  const answered = new Set<string>()
  const isUnanswered = ({ command: { type }, message }: KeptCommand): boolean => {
    const thread = store.get('message', message ?? '')?.thread_id
    if (thread === undefined) return false
    if (type === 'send-message') answered.add(thread)
    return type === 'receive-message' && !answered.has(thread)
  }
  return journal.keptCommands().reverse().some(isUnanswered)
}
