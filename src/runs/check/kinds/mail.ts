import { limits } from '../../../contract/operations.js'
import { answeredBy, replyAddressOf } from '../../../story/expectations/invariants/mail.js'
import type { Kind, Undisturbed } from '../disturbance.js'
import { automaticMail, firstMail, mailEffect } from './mail-ways.js'
import { meanwhileIn } from './meanwhile.js'
import { isAboutTheEnd, isRunning, listedHandles, pageOf, timedMail } from './used.js'

/** The most messages that a page can have. */
const mostInPage = 100

export const mailKind: Kind = {
  planned(undisturbed) {
    const handles = listedHandles(undisturbed).slice(0, 2)
    const [handle] = handles
    if (handle === undefined) return []
    const moments = isRunning(undisturbed) ? meanwhileIn(undisturbed) : []
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
          ...moments.map(({ operation, nth, handle: own, place, person: from }) => {
            return `meanwhile/${operation}/${nth}/${own}/${place}/${from}`
          }),
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
