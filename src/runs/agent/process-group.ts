import { startPause, stopwatch } from '../../service/time/wall-time.js'
import { membersOf } from './group-members.js'

/** Milliseconds between checks for remaining processes. */
const pollInterval = 20

/** Milliseconds within which a killed process ends, unless the system itself is stuck. */
const killTimeout = 1_000

/** A command and the processes it started, except those that moved to their own group. */
export class ProcessGroup {
  readonly #id: number

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
    for (let wait = 0; wait < killTimeout && membersOf(this.#id)?.length; wait++) Atomics.wait(clock, 0, 0, 1)
  }

  /** Waits until no member is left, up to a timeout in milliseconds; returns whether none is left. */
  async gone(milliseconds: number, stopWaiting?: AbortSignal): Promise<boolean> {
    const elapsed = stopwatch()
    // Those that have ended but were not reaped, as orphans in some containers, still accept signals.
    while (this.signal(0) && membersOf(this.#id)?.length !== 0) {
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
}
