import { Timers } from '../../service/time/wall-time.js'
import type { Pace, PacedPlay } from './pace.js'
import { defaultGrace, PlayPace } from './play-pace.js'
import { storyLength } from './story-length.js'

/** Returns what lets the time of a play pass, by its clock mode and its agent. */
export async function createPace(play: PacedPlay): Promise<Pace> {
  if (play.agent === 'function') return new FunctionPace(play)
  const pace = new PlayPace(play)
  await pace.listen()
  return pace
}

/** Paces an agent in this process, which works until its promise is settled: time passes only as it says. */
class FunctionPace implements Pace {
  readonly environment = {}
  readonly facts = undefined
  readonly end: number
  readonly #stopped: AbortSignal

  constructor({ story, options, stopped }: PacedPlay) {
    this.end = story.start + storyLength(story, options.grace ?? defaultGrace)
    this.#stopped = stopped
  }

  async run(agentGone: AbortSignal): Promise<boolean> {
    await new Timers().wait(Infinity, AbortSignal.any([this.#stopped, agentGone]))
    return true
  }

  async close(): Promise<void> {}
}
