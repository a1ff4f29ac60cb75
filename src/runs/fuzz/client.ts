import { createSimulator } from '../../doors/simulator/create-simulator.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import type { Story } from '../../story/overlays/story.js'
import type { PlayAgent } from '../agent/agent.js'
import type { PlayOptions } from '../agent/options.js'
import { RunError } from '../errors.js'
import { type Play, play } from '../play.js'
import { type PlayedStory, playedStoryOf } from './facts.js'

/** A client that stories are played to: a command, until their end, or a function in this process, until its own. */
export class FuzzedClient {
  readonly #agent: PlayAgent
  readonly #options: PlayOptions
  /** One for all functions: each story is a world of it. */
  #simulator: Promise<Simulator> | undefined
  /** The number of completed plays. */
  played = 0
  /** The first play, and the last one. */
  first: Play | undefined
  last: Play | undefined

  constructor(agent: PlayAgent, options: PlayOptions = {}) {
    this.#agent = agent
    this.#options = options
  }

  /** Plays a story once, and stops the client after `maxRequests`. @throws RunError `interrupted` */
  async play(story: Story, maxRequests: number, signal = this.#options.signal): Promise<PlayedStory> {
    // A new signal, since each play adds its own listeners.
    const own = signal && AbortSignal.any([signal])
    const options = { ...this.#options, signal: own, maxRequests }
    const played = await this.#playTo(story, options)
    try {
      if (played.interrupted) throw new RunError('interrupted', 'Interrupted.')
      this.played++
      this.last = played
      this.first ??= played
      return playedStoryOf(played)
    } finally {
      await played.close()
    }
  }

  async #playTo(story: Story, options: PlayOptions): Promise<Play> {
    if ('command' in this.#agent) return play(story, this.#agent, options)
    this.#simulator ??= createSimulator({ initialState: story, trace: undefined })
    const agent = { ...this.#agent, beside: await this.#simulator }
    return play(story, agent, { ...options, until: 'agent-end' })
  }
}
