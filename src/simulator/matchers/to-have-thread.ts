import { counted } from '../../contract/counted.js'
import { didYouMean } from '../../contract/nearest.js'
import { type Thread, threadSchema } from '../../contract/resources.js'
import { describeValues, formatMismatch, type Match, mismatches, nearest } from '../matching.js'
import type { Simulator } from '../simulator.js'
import { formatJudged, type Judged, judge, listed, type MatcherResult, simulatorIn } from './matcher.js'

/** A thread as the service would show it; what is left out may be anything. */
export interface ThreadDescription extends Readonly<Partial<Record<keyof Thread, Match>>> {
  /** The handle of the agent whose mailbox it is in. */
  readonly agent?: string
}

/** Whether a thread like that is in a mailbox of a simulator. */
export function toHaveThread(received: unknown, { agent, ...fields }: ThreadDescription): MatcherResult {
  const mailbox = simulatorIn(received, 'toHaveThread')
  checkFields(fields)
  const { judged, fitting } = judge(threadsOf(mailbox, agent), (thread) => {
    return Object.entries(fields).flatMap(([name, wanted]) => {
      return mismatches(name, wanted, thread[name as keyof Thread])
    })
  })
  const whose = agent === undefined ? '' : ` of ${agent}`
  const values = describeValues(fields)
  const described = `thread${whose}${values && ` with ${values}`}`
  return {
    pass: fitting.length > 0,
    message: () => {
      if (fitting.length > 0) {
        const found = listed(fitting.map(formatThread), 5)
        return `Expected no ${described}.\n${counted(fitting.length, 'thread')} of that kind:\n${found}`
      }
      if (judged.length === 0) return `Expected a ${described}. There is no thread${whose} at all.`
      const likest = listed(nearest(judged).map(formatThread), 3)
      return `Expected a ${described}.\n${counted(judged.length, 'thread')}, none of that kind; the nearest first:\n${likest}`
    },
  }
}

function checkFields(fields: object): void {
  for (const name of Object.keys(fields)) {
    const known = Object.keys(threadSchema().shape)
    if (!known.includes(name)) throw new TypeError(`A thread has no "${name}"${didYouMean(name, known)}`)
  }
}

function threadsOf(mailbox: Simulator, agent: string | undefined): Thread[] {
  return mailbox.threads.list(agent === undefined ? { everywhere: true } : { agent })
}

function formatThread({ thing, mismatches }: Judged<Thread>): string {
  const { id, subject, unread, message_count, last_message_at } = thing
  const state = `${unread ? 'unread' : 'read'}, ${counted(message_count, 'message')}, last ${last_message_at}`
  const lines = mismatches.map(formatMismatch)
  return formatJudged(`"${subject}" (${id}: ${state})`, lines.length === 0, lines)
}
