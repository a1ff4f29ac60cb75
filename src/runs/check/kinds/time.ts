import type { Disturbance, Kind } from '../disturbance.js'
import { isAboutTheEnd, isProgram } from './used.js'

const slow = 'time/slow-model/20s'

/** A model that takes its time, so that mail and the agent's own timers come meanwhile; only of an agent that asks anybody else. */
export const timeKind: Kind = {
  name: 'time',
  planned(undisturbed) {
    const asksOthers = (undisturbed.play.pace?.elsewhere ?? 0) > 0
    return isProgram(undisturbed) && asksOthers ? [{ id: slow, group: 'slow-model' }] : []
  },
  disturbance(id): Disturbance | undefined {
    if (id !== slow) return undefined
    return {
      id,
      kind: 'time',
      words: 'each request to somebody else, such as a model, takes 20 seconds',
      advice:
        'Let no second round begin while one is under way, and look at the thread again once the model has answered.',
      playing: { thinkTime: 20_000 },
    }
  },
  judges: isAboutTheEnd,
}
