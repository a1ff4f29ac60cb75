import type { Command } from 'commander'
import { parseStart } from '../doors/simulator/scenario-loader.js'
import type { Simulator } from '../doors/simulator/simulator.js'
import { readKeptPlay } from '../runs/kept/kept-play.js'
import { loadScenario } from '../story/load.js'
import { storyOf } from '../story/story.js'
import { InputError } from './failure.js'
import type { ServerFlags } from './running-server.js'

/** The flags of a server that goes on after an entry of the log of a play. */
type Flags = ServerFlags & { readonly at?: number }

/** How the world of a kept play is served. */
interface ServedPlay {
  readonly scenario: string
  readonly flags: Flags
  /** Goes on where the play was after the entry that the flags name, by default at its end. @throws RunError, WorldError */
  goBack(simulator: Simulator): Promise<void>
}

/** Returns how the play in a folder of results is served; its clock stands still unless another is named. @throws InputError */
export async function servedPlay(folder: string, flags: Flags, line: Command): Promise<ServedPlay> {
  const useless = ['watch', 'state', 'seed', 'start'].find((name) => {
    return line.getOptionValueSource(name) === 'cli'
  })
  if (useless !== undefined) {
    const flag = useless.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    throw new InputError(`--${flag} is not for results, which have their own story; leave it out.`)
  }
  const { scenario, seed, start, under, ...play } = await readKeptPlay(folder)
  const mode = line.getOptionValueSource('clock') === 'cli' ? flags.clock : 'frozen'
  const extend = [...play.extend, ...(flags.extend ?? [])]
  return {
    scenario,
    flags: {
      ...{ ...flags, seed, start, clock: 'frozen' },
      ...(extend.length > 0 && { extend }),
    },
    async goBack(simulator) {
      const { paced } = simulator
      const story = storyOf(paced)
      const { assumptions, origins } = story
      const loading = { seed, start: parseStart(start), extend, under }
      const attacked = under && { ...(await loadScenario(scenario, loading)), assumptions, origins }
      paced.restart(attacked ?? story, mode)
      const fold = await play.read(paced, flags.at)
      fold.state.clock = { ...fold.state.clock, mode }
      paced.continueAfter(fold)
    },
  }
}
