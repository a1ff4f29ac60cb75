import { startPause } from '../../world/index.js'
import { findKin, hasProcessTable, type Kin, type Process } from './process-table.js'

/** Milliseconds between looks at who is still there. */
const beat = 20

/** Milliseconds within which what is killed is gone, unless the system itself is stuck. */
const patience = 5_000

/** A command with everything it started, as long as any of it runs. */
export class ProcessFamily {
  readonly #kin: Kin

  constructor(kin: Kin) {
    this.#kin = kin
  }

  /** Who is still running; where the system does not tell, somebody nameless stands for all. */
  members(): Process[] {
    if (hasProcessTable) return findKin(this.#kin)
    const { group } = this.#kin
    return send(-group, 0) ? [{ id: group, name: 'a process', inGroup: true }] : []
  }

  /** Sends all of them a signal. */
  signal(signal: NodeJS.Signals): void {
    // The whole group at once, so that none of it starts another one in between.
    send(-this.#kin.group, signal)
    for (const { id, inGroup } of this.members()) if (!inGroup) send(id, signal)
  }

  /** Waits until nobody is left, at most so many milliseconds; gives whether that is so. */
  async gone(milliseconds: number): Promise<boolean> {
    for (let left = milliseconds; this.members().length > 0; left -= beat) {
      if (left <= 0) return false
      await startPause(Math.min(beat, left)).over
    }
    return true
  }

  /** Asks all of them to end, kills whoever has not by then; gives whether that had to be. */
  async end(grace: number): Promise<boolean> {
    this.signal('SIGTERM')
    // One that was stopped hears of it only when it goes on.
    this.signal('SIGCONT')
    if (await this.gone(grace)) return false
    for (let left = patience; left > 0 && this.members().length > 0; left -= beat) {
      this.signal('SIGKILL')
      await startPause(beat).over
    }
    return true
  }
}

/** Sends a signal; gives whether anybody was there to take it. */
function send(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(id, signal)
  } catch {
    return false
  }
}
