import { limits } from '../../../contract/operations.js'
import type { Simulator } from '../../../doors/simulator/simulator.js'
import { WorldError } from '../../../service/model/errors.js'
import { recipientsOf } from '../../../service/rendering/header-fields.js'
import { parseInstant } from '../../../service/time/time.js'
import type { Exchange } from '../../../service/world/exchange.js'
import { answeredBy, replyAddressOf } from '../../../story/expectations/invariants/mail.js'
import type { Kind, Undisturbed } from '../disturbance.js'
import { automaticMail, firstMail, mailEffect } from './mail-ways.js'
import { isAboutTheEnd, isRunning, listedHandles, nthOf, pageOf, timedMail } from './used.js'

/** The most messages that a page can have. */
const mostInPage = 100

export const mailKind: Kind = {
  planned(undisturbed) {
    const handles = listedHandles(undisturbed).slice(0, 2)
    const [handle] = handles
    if (handle === undefined) return []
    const answers = isRunning(undisturbed) ? answersIn(undisturbed) : []
    const [threads, messages] = (['threads.list', 'messages.list'] as const).map((name) => {
      return pageOf(undisturbed, name, limits[name].limit.default)
    }) as [number, number]
    const person = newestSender(handle, undisturbed)
    const inboxes = threads > 0 ? handles.map((one) => `long-inbox/${one}/${threads}`) : []
    const [first] = answers
    // A hundred threads take long where each is read in each round, so they come last.
    const isShort = threads < mostInPage
    const groups: readonly (readonly [names: readonly string[], rank?: number])[] = [
      [
        [
          ...(isRunning(undisturbed) ? meanwhileIn(undisturbed) : []),
          ...answers.map(({ nth, handle: own, person: from }) => `after-answer/${nth}/${own}/${from}`),
        ],
        3,
      ],
      [isShort ? inboxes : [], 4],
      [[...(first ? [`away/sent/${first.nth}`] : []), `away/start/${handle}`], 8],
      [['html-only'], 9],
      ...automaticMail.flatMap((name) => (name === 'away' ? [] : [[[`${name}/start/${handle}`]] as const])),
      [first ? [`again/${first.nth}/${first.handle}`] : []],
      [
        timedMail(undisturbed)
          .slice(0, -1)
          .slice(0, 2)
          .map(({ name }) => `together/${name}`),
      ],
      // Whoever asks for as many as there can be in a page can ask for no more.
      [
        messages > 0 && messages < mostInPage && person !== undefined
          ? [`long-thread/${handle}/${messages}/${person}`]
          : [],
      ],
      [isShort ? [] : inboxes],
    ]
    return groups.flatMap(([names, rank]) => {
      const [group = ''] = names[0]?.split('/') ?? []
      return names.map((name, index) => ({ name, group, rank: index === 0 ? rank : undefined }))
    })
  },
  effect: mailEffect,
  judges(expectation, _, id) {
    const { leak, message, sent } = expectation
    if (leak !== undefined) return true
    // The words are the same, only written in another way.
    if (id === 'mail/html-only') return message === undefined && isAboutTheEnd(expectation)
    return sent !== undefined && sent !== 'none' && sent.in_reply_to !== undefined
  },
}

/** Returns who wrote the newest message when the first mail of the story has come to an agent. */
function newestSender(handle: string, undisturbed: Undisturbed): string | undefined {
  const { story, play } = undisturbed
  const { store } = play.simulator
  const moment = story.start + firstMail(handle, undisturbed)
  const mailbox = [...store.all('identity')].find((one) => one.agent_handle === handle)?.id
  const rows = [...store.all('message')].filter(({ identity_id, direction, created_at }) => {
    return identity_id === mailbox && direction === 'inbound' && created_at <= moment
  })
  const newest = rows.toSorted((one, other) => one.created_at - other.created_at).at(-1)
  return newest && replyAddressOf(newest)
}

/** An answer of an agent: its number among all that the agent sent, and who gets it. */
interface GivenAnswer {
  readonly nth: number
  readonly handle: string
  readonly person: string
}

/** Returns the first messages of an agent that answer mail of their thread. */
function answersIn({ play: { simulator } }: Undisturbed): GivenAnswer[] {
  const { store } = simulator
  const found = simulator.sentBy().flatMap((mail, index): GivenAnswer[] => {
    const asked = answeredBy(mail, store).find((row) => row.thread_id === mail.message.thread_id)
    const person = asked?.direction === 'inbound' ? replyAddressOf(asked) : undefined
    const handle = store.get('identity', mail.message.identity_id)?.agent_handle
    return person !== undefined && handle !== undefined ? [{ nth: index + 1, handle, person }] : []
  })
  return found.slice(0, 2)
}

/**
 * Returns the names of the first moments of a play at which newer mail would stay unread: the last request before an answer that is
 * not the look at its thread, where the agent did something about other threads in between, or never looked. An agent that looks
 * right before it answers has none.
 */
function meanwhileIn({ play: { simulator }, exchanges }: Undisturbed): string[] {
  const { store } = simulator
  const mails = simulator.sentBy()
  const answers = new Map(mails.map((mail) => [mail.exchange, answeredBy(mail, store)[0]]))
  const found = mails.flatMap(({ message, exchange }) => {
    const asked = answers.get(exchange)
    const person = asked && replyAddressOf(asked)
    const handle = store.get('identity', message.identity_id)?.agent_handle
    if (!asked || person === undefined || handle === undefined || hasLastWord(person, simulator)) return []
    const { thread_id: thread, id } = asked
    const before = exchanges.filter(({ seq }) => exchange !== null && seq < exchange)
    const look = before.findLastIndex((one) => looksAt(one, thread, id))
    const isElsewhere = ({ seq, operation }: Exchange): boolean => {
      const isOther = (answers.get(seq)?.thread_id ?? thread) !== thread
      return isOther || operation === 'messages.list' || operation === 'threads.list'
    }
    const between = before.slice(look + 1)
    if (look >= 0 && !between.some(isElsewhere)) return []
    const chosen = between.findLast((one) => one.method === 'GET' || isElsewhere(one))
    // Before the message that is answered came, there was nothing between it and the answer.
    if (!chosen?.operation || (parseInstant(chosen.at) ?? 0) < asked.created_at) return []
    const place = placeOf(simulator, chosen.seq - 1, message.identity_id, thread)
    const moment = `meanwhile/${chosen.operation}/${nthOf(exchanges, chosen.seq)}`
    return place === 0 ? [] : [[moment, `${moment}/${handle}/${place}/${person}`] as const]
  })
  return [...new Map(found).values()].slice(0, 2)
}

function looksAt({ method, path, query }: Exchange, thread: string, message: string): boolean {
  return (
    method === 'GET' && (query['thread_id'] === thread || path.includes(thread) || path.includes(message))
  )
}

/** Returns whether the agent lets the last message of a person be, such as thanks. */
function hasLastWord(person: string, simulator: Simulator): boolean {
  const { store } = simulator
  const toThem = simulator.sentBy().filter(({ message }) => recipientsOf(message).includes(person))
  const last = Math.max(...toThem.map(({ message }) => message.ordinal))
  return [...store.all('message')].some((row) => {
    return row.direction === 'inbound' && row.ordinal > last && replyAddressOf(row) === person
  })
}

/** Returns the place of a thread in a mailbox at a moment, from 1 for the one with the latest mail; 0 if it is not known. */
function placeOf(simulator: Simulator, moment: number, mailbox: string, thread: string): number {
  try {
    const { store } = simulator.view.world.stateAt(moment)
    return store.threads(mailbox).page({ order: 'last-message', descending: true }).indexOf(thread) + 1
  } catch (error) {
    if (error instanceof WorldError) return 0
    throw error
  }
}
