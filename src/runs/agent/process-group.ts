import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { startPause, stopwatch } from '../../service/world/index.js'

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

  /** Waits until no member is left, up to a timeout in milliseconds; returns whether none is left. */
  async gone(milliseconds: number, stopWaiting?: AbortSignal): Promise<boolean> {
    const elapsed = stopwatch()
    while (this.signal(0) && !areEnded(this.#id)) {
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

/**
 * Returns whether all members of a group have ended but were not reaped, like orphans in a container whose
 * first process reaps none: they still accept signals. False if the system does not list its processes.
 */
function areEnded(group: number): boolean {
  if (!existsSync('/proc/self/stat')) return false
  return !readdirSync('/proc').some((name) => {
    const [state, , itsGroup] = /^\d+$/.test(name) ? statusOf(name) : []
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X'
  })
}

/** Returns the fields of a process after its name: its state, its parent, its group and more; none if it is gone. */
function statusOf(id: string): string[] {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
