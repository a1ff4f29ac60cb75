import { limits } from '../../../contract/operations.js'
import { isAddress } from '../../../mail/address.js'
import {
  addEntries,
  type EntryInput,
  type FurtherEntry,
  type Moment,
  moveEntries,
  writeMailAs,
} from '../../../story/edits.js'
import { answeredBy, replyAddressOf } from '../../../story/expectations/invariants/mail.js'
import type { ScenarioInput } from '../../../story/format/scenario.js'
import type { Disturbance, DisturbedStory, Kind, PlannedDisturbance, Undisturbed } from '../disturbance.js'
import { type AutomaticMail, automaticMail, isAutomaticMail } from './automatic-mail.js'
import { meanwhileIn } from './meanwhile.js'
import {
  afterMs,
  atRequest,
  isAboutTheEnd,
  isRunning,
  listedHandles,
  methodOf,
  numberIn,
  pageOf,
  timedMail,
} from './used.js'

/** What an id says, beside its kind: the name of the disturbance, and the parts after it. */
type Parts = readonly string[]

/** One way in which mail disturbs an agent. */
interface MailWay {
  readonly advice: string
  /** Returns what happens, and the document in which it does; undefined if the scenario has nothing of that name. */
  apply(parts: Parts, story: DisturbedStory, key: string): MailEffect | undefined
}

interface MailEffect extends Pick<Disturbance, 'expects'> {
  readonly words: string
  edit(document: ScenarioInput): ScenarioInput
}

type Receive = NonNullable<EntryInput['receive']>

/** The most messages that a page can have. */
const mostInPage = 100

/** A question, so that it calls for an answer. */
const question = 'There is something I forgot to ask: when exactly will this be settled? Please let me know.'

const ways: Readonly<Record<string, MailWay>> = {
  meanwhile: {
    advice:
      'Read a thread to its end right before you answer there, and again once you have; take as handled only what you have read.',
    apply([operation = '', number, handle = '', position, from = ''], story, key) {
      const [nth, place] = [numberIn(number), numberIn(position)]
      if (nth === undefined || place === undefined || methodOf(operation, story) === undefined)
        return undefined
      if (!handlesOf(story.document).includes(handle) || !isAddress(from)) return undefined
      const entry = {
        key,
        ...atRequest(operation, nth),
        receive: { to: handle, place, from, text: question },
      }
      return {
        words: `${from} writes again between the look at the thread and the answer (at ${operation} ${nth})`,
        edit: adding(entry as FurtherEntry),
        expects: {
          describe: `${from}, who writes again, is answered.`,
          invariant: 'answers-everyone',
          people: [from],
        },
      }
    },
  },
  'after-answer': {
    advice: 'Take as handled only the messages that you have read, not the whole thread.',
    apply([number, handle = '', from = ''], { document }, key) {
      const nth = numberIn(number)
      if (nth === undefined || !handlesOf(document).includes(handle) || !isAddress(from)) return undefined
      return {
        words: `${from} writes again in the thread just as message ${nth} of the agent is sent`,
        edit: adding({
          key,
          when: { sent: {}, nth },
          receive: { to: handle, place: 1, from, text: question },
        }),
        expects: {
          describe: `${from}, who writes again, is answered.`,
          sent: { to: from },
          after: key,
          at_least: 1,
        },
      }
    },
  },
  again: {
    advice:
      'Recognize a message that comes again by its Message-ID, or by its sender, date and words, and do not answer it again.',
    apply([number, handle = ''], { document }, key) {
      const nth = numberIn(number)
      if (nth === undefined || !handlesOf(document).includes(handle)) return undefined
      return {
        words: `the message that answer ${nth} is about arrives a second time`,
        edit: adding({ key, when: { sent: {}, nth }, receive: { to: handle, place: 1, again: true } }),
      }
    },
  },
  'long-inbox': {
    advice: 'Ask for the next page of threads until one has fewer entries than its limit.',
    apply([handle = '', number], { document, ...story }, key) {
      const threads = numberIn(number)
      if (threads === undefined || !handlesOf(document).includes(handle)) return undefined
      const after = firstMail(handle, { document, ...story })
      // What the agent itself has sent, from elsewhere, calls for no answer, and so for no request to a model.
      const send: EntryInput['send'] = {
        from: handle,
        to: '{{internet.email}}',
        subject: 'For your information: {{lorem.words(3)}}',
        text: 'This is only for your information; nothing is to be done or answered. {{lorem.sentence}}',
      }
      const repeat = threads > 1 && { repeat: { times: threads } }
      return {
        words: `${threads} newer threads fill the first page of the inbox of ${handle}`,
        edit: adding({ key, ...afterMs(after), send, ...repeat }),
      }
    },
  },
  'long-thread': {
    advice: 'Ask for the next page of messages until one has fewer entries than its limit.',
    apply([handle = '', number, from = ''], { document, ...story }, key) {
      const messages = numberIn(number)
      if (messages === undefined || !handlesOf(document).includes(handle) || !isAddress(from))
        return undefined
      const after = firstMail(handle, { document, ...story })
      const receive: Receive = { to: handle, place: 1, from, text: 'And one more detail: {{lorem.sentence}}' }
      const repeat = messages > 1 && { repeat: { times: messages } }
      return {
        words: `${from} writes ${messages} more messages in one thread, more than a page`,
        edit: adding({ key, ...afterMs(after), receive, ...repeat }),
      }
    },
  },
  'html-only': {
    advice: 'Read the HTML of a message that has no text.',
    apply: () => ({
      words: 'every message is written as HTML only',
      edit: (document) =>
        writeMailAs(document, 'html-only', ({ text, html }) => text !== undefined || html !== undefined),
    }),
  },
  together: {
    advice: 'Tell messages by their ids, not by their times: two may have the same one.',
    apply(parts, story) {
      const name = parts.join('/')
      const mails = timedMail(story)
      const next = mails[mails.findIndex((one) => one.name === name) + 1]
      const mail = mails.find((one) => one.name === name)
      if (!mail || !next) return undefined
      return {
        words: `"${next.name}" comes in the same second as "${name}"`,
        edit: (document) => moveEntries(document, new Map([[next.name, afterMs(mail.after)]])),
      }
    },
  },
}

export const mailKind: Kind = {
  name: 'mail',
  planned(undisturbed) {
    const handles = listedHandles(undisturbed).slice(0, 2)
    const [handle] = handles
    if (handle === undefined) return []
    const moments = (isRunning(undisturbed) ? meanwhileIn(undisturbed) : []).map((one) => {
      return `meanwhile/${one.operation}/${one.nth}/${one.handle}/${one.place}/${one.person}`
    })
    const answers = isRunning(undisturbed) ? answersIn(undisturbed) : []
    const after = answers.map(({ nth, handle: own, person }) => `after-answer/${nth}/${own}/${person}`)
    const [threads, messages] = [
      pageOf(undisturbed, 'threads.list', limits['threads.list'].limit.default),
      pageOf(undisturbed, 'messages.list', limits['messages.list'].limit.default),
    ]
    const start = Object.keys(automaticMail).map((name) => `${name}/start/${handle}`)
    const [first] = answers
    const person = newestSender(handle, undisturbed)
    const timed = timedMail(undisturbed).slice(0, -1).slice(0, 2)
    const inboxes = threads > 0 ? handles.map((one) => `long-inbox/${one}/${threads}`) : []
    const groups: readonly (readonly [ids: readonly string[], rank?: number])[] = [
      [[...moments, ...after], 3],
      // A hundred threads take long where each is read in each round.
      threads < mostInPage ? [inboxes, 4] : [[]],
      [[...(first ? [`away/sent/${first.nth}`] : []), `away/start/${handle}`], 8],
      [['html-only'], 9],
      ...start.filter((id) => !id.startsWith('away/')).map((id) => [[id]] as const),
      [first ? [`again/${first.nth}/${first.handle}`] : []],
      [timed.map(({ name }) => `together/${name}`)],
      // Whoever asks for as many as there can be in a page can ask for no more.
      [
        messages > 0 && messages < mostInPage && person !== undefined
          ? [`long-thread/${handle}/${messages}/${person}`]
          : [],
      ],
      threads < mostInPage ? [[]] : [inboxes],
    ]
    return groups.flatMap(([ids, rank]) => {
      return ids.map((id, index): PlannedDisturbance => {
        const [group = ''] = (ids[0] as string).split('/')
        return { id: `mail/${id}`, group, ...(index === 0 && rank !== undefined && { rank }) }
      })
    })
  },
  disturbance(id, story): Disturbance | undefined {
    const [kind, name = '', ...parts] = id.split('/')
    if (kind !== 'mail') return undefined
    const way = isAutomaticMail(name)
      ? automaticWay(name)
      : Object.hasOwn(ways, name)
        ? ways[name]
        : undefined
    const effect = way?.apply(parts, story, id)
    return way && effect && { id, kind: 'mail', advice: way.advice, ...effect }
  },
  judges(expectation, { id }) {
    if (expectation.kind === 'leak') return true
    // The words are the same, only written in another way.
    if (id === 'mail/html-only') return expectation.kind !== 'message' && isAboutTheEnd(expectation)
    return expectation.kind === 'sent' && expectation.where.in_reply_to !== undefined
  },
}

/** Returns how mail of a program disturbs: there from the start, or in answer to what the agent sends. */
function automaticWay(name: AutomaticMail): MailWay {
  const { words, answer, eml } = automaticMail[name]
  return {
    advice:
      'Look at the header fields of a message before you answer it: Auto-Submitted, Precedence, List-Id and an empty Return-Path mark what no person wrote.',
    apply([how, place = ''], { document }, key) {
      if (how === 'sent') {
        const nth = numberIn(place)
        if (nth === undefined || !answer) return undefined
        return {
          words: `${words} comes back for message ${nth} of the agent`,
          edit: adding({ key, when: { sent: {}, nth }, receive: { in_reply_to: 'sent', ...answer } }),
        }
      }
      if (how !== 'start' || !handlesOf(document).includes(place)) return undefined
      const after = document.webhooks?.length ? { after: '1s' } : { after: '0s' }
      return {
        words: `${words} comes`,
        edit: adding({ key, ...(after as Moment), receive: { to: place, eml } }),
      }
    },
  }
}

function adding(entry: FurtherEntry): MailEffect['edit'] {
  return (document) => addEntries(document, [entry])
}

function handlesOf({ identities = [] }: ScenarioInput): string[] {
  return identities.map(({ handle }) => handle)
}

/** Returns when the first mail of the story comes to an agent, in milliseconds after the start; 0 if all is there before. */
function firstMail(handle: string, story: DisturbedStory): number {
  const own = timedMail(story).find(({ entry: { receive } }) => {
    const to = [receive.to ?? []].flat()
    return to.length === 0 || to.some((one) => one.replace(/^@/, '') === handle)
  })
  return own?.after ?? 0
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
