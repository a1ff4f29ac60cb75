import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { startPause, stopwatch } from '../../service/time/wall-time.js'

/** Milliseconds between checks for remaining processes. */
const pollInterval = 20

/** Milliseconds within which a killed process ends, unless the system itself is stuck. */
const killTimeout = 1_000

/** A command and the processes it started; those that moved to a group of their own get no signals. */
export class ProcessGroup {
  readonly #id: number
  /** Processes that are not of them, and never will be. */
  readonly #others = new Set<string>()

  /** Takes the id of the group, which is that of its leader. */
  constructor(id: number) {
    this.#id = id
  }

  /** Sends a signal to every member; returns whether there was one. */
  signal(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-this.#id, signal)
    } catch {
      return false
    }
  }

  /** Kills all members; returns once none does anything any more, or after a second. */
  kill(): void {
    this.signal('SIGKILL')
    const clock = new Int32Array(new SharedArrayBuffer(4))
    // What follows is about a program that is gone: its ports are closed, and no request of it is on its way.
    for (let wait = 0; wait < killTimeout && this.members()?.length; wait++) Atomics.wait(clock, 0, 0, 1)
  }

  /** Waits until no member is left, up to a timeout in milliseconds; returns whether none is left. */
  async gone(milliseconds: number, stopWaiting?: AbortSignal): Promise<boolean> {
    const elapsed = stopwatch()
    // Those that have ended but were not reaped, as orphans in some containers, still accept signals.
    while (this.signal(0) && this.members()?.length !== 0) {
      if (elapsed() >= milliseconds || stopWaiting?.aborted) return false
      await startPause(pollInterval).over
    }
    return true
  }

  /**
   * Sends SIGTERM to all members, and SIGKILL to those that remain after the grace period or once `kill` is aborted.
   * Resolves to whether SIGKILL was necessary.
   */
  async stop(grace: number, kill?: AbortSignal): Promise<boolean> {
    this.signal('SIGTERM')
    // A stopped process handles SIGTERM only once it continues.
    this.signal('SIGCONT')
    if (await this.gone(grace, kill)) return false
    this.signal('SIGKILL')
    await this.gone(killTimeout)
    return true
  }

  /** Returns the processes that have not ended; undefined if the system does not list its processes. */
  members(): ListedProcess[] | undefined {
    if (!existsSync('/proc/self/stat')) return undefined
    const listed = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const present = new Set(listed)
    for (const pid of this.#others) if (!present.has(pid)) this.#others.delete(pid)
    const found = listed.flatMap((pid) => (this.#others.has(pid) ? [] : (readProcess(pid) ?? [])))
    const members = found.filter(({ group }) => group === this.#id)
    // Each child of a member is one, though it may have moved to another session, as servers of tools do; the list grows meanwhile.
    for (const { pid } of members)
      members.push(...found.filter((one) => one.parent === pid && !members.includes(one)))
    for (const one of found) if (!members.includes(one)) this.#others.add(String(one.pid))
    return members.filter((one) => !hasEnded(one))
  }
}

/** Returns whether a thread of a process uses the processor, or waits for a disk; true where the system does not tell. */
export function isComputing(pid: number): boolean {
  if (!existsSync('/proc/self/stat')) return true
  const threads = `/proc/${pid}/task`
  try {
    return readdirSync(threads).some((thread) => {
      return /^.*\) [RD]/s.test(readFileSync(`${threads}/${thread}/stat`, 'utf8'))
    })
  } catch {
    // It has ended.
    return false
  }
}

/** Returns whether all threads of a process have ended: its parent is told only then. */
function hasEnded({ state, threads }: ListedProcess): boolean {
  return state === 'X' || (state === 'Z' && threads <= 1)
}

/** A process as the system lists it. */
interface ListedProcess {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** `R` runs, `S` sleeps, `Z` has ended, and so on. */
  readonly state: string
  /** Processor time used, in ticks of the system. */
  readonly ticks: number
  readonly threads: number
  readonly name: string
}

function readProcess(pid: string): ListedProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    const [parent = 0, group = 0] = fields.slice(1).map(Number)
    return {
      ...{ pid: Number(pid), parent, group, state: fields[0] as string },
      ticks: Number(fields[11]) + Number(fields[12]),
      threads: Number(fields[17]),
      name: stat.slice(stat.indexOf('(') + 1, end),
    }
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
