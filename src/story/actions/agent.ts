import { z } from '../../base/schema.js'
import { parseDuration } from '../../service/time/time.js'
import { defineAction } from './action.js'

const acts = {
  kill: 'it is killed, and started again at once',
  stop: 'it is stopped, and does not run',
  start: 'it is started, if it does not run',
  second: 'another copy runs beside it',
  one: 'only the first copy goes on',
} as const

const meanings = Object.entries(acts).map(([act, meaning]) => `\`${act}\`: ${meaning}`)

export const agent = defineAction({
  describe: `Something happens to the program of the agent, where a command is played. ${meanings.join('; ')}.`,
  schema: z.enum(Object.keys(acts) as (keyof typeof acts)[]),
  problemWith(_, { after, when }) {
    if (when !== undefined || after === undefined || parseDuration(after) !== 0) return undefined
    return '"agent" with "after: 0s" would happen before the program has started; write a later time'
  },
  resolve: (_, agent) => () => ({ commands: [], agent }),
})
