import { type Changes, formatChanges, listChanges } from './changes.js'
import type { RunTrial, Trial } from './trial.js'

/**
 * What is held of a change. `failed`: it breaks the command, each time it was run. `unsure`: it failed, but not
 * each time, or as it does without any change. `overruled`: it passed, but whoever made the simulator had chosen
 * the reading of that gap already.
 */
export type Outcome = 'passed' | 'failed' | 'unsure' | 'overruled'

/** Some changes, and what became of the command under them. */
export interface Judged {
  readonly changes: Changes
  readonly outcome: Outcome
  /** Every run under these changes, at least one. */
  readonly runs: readonly [Trial, ...Trial[]]
}

/** How often a failure must be seen before it is believed, of a command that is steady by itself and of another. */
const timesBelieved = { steady: 2, flaky: 4 }

/** Runs the command under changes, as often as it takes to believe what is seen; never twice under the same ones. */
export class Trials {
  readonly #run: RunTrial
  readonly #judged = new Map<string, Promise<Judged>>()
  #control: Promise<Trial> | undefined

  constructor(run: RunTrial) {
    this.#run = run
  }

  /** A further run without any change, which tells whether the command is steady by itself. */
  control(): Promise<Trial> {
    this.#control ??= this.#run({})
    return this.#control
  }

  /** What becomes of the command under some changes. */
  judge(changes: Changes): Promise<Judged> {
    const key = formatChanges(changes)
    const judged = this.#judged.get(key) ?? this.#judge(changes)
    this.#judged.set(key, judged)
    return judged
  }

  async #judge(changes: Changes): Promise<Judged> {
    const once = await this.#run(changes)
    if (once.passed) return { changes, outcome: isOverruled(once) ? 'overruled' : 'passed', runs: [once] }
    const control = await this.control()
    const runs: [Trial, ...Trial[]] = [once]
    while (runs.length < timesBelieved[control.passed ? 'steady' : 'flaky']) {
      const again = await this.#run(changes)
      runs.push(again)
      if (again.passed) return { changes, outcome: 'unsure', runs }
    }
    // What fails like that by itself proves nothing about a change.
    const usual = !control.passed && runs.every(({ why }) => why === control.why)
    return { changes, outcome: usual ? 'unsure' : 'failed', runs }
  }
}

/** Whether a change had no effect, since everybody who came to its gap had chosen another reading of it. */
function isOverruled({ changes, relied }: Trial): boolean {
  return listChanges(changes).some(({ gap, reading }) => {
    const seen = relied.get(gap)?.readings
    return seen !== undefined && !seen.includes(reading)
  })
}
