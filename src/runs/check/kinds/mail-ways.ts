import { isAddress } from '../../../mail/address.js'
import {
  addEntries,
  type EntryInput,
  type FurtherEntry,
  type Moment,
  moveEntries,
  writeMailAs,
} from '../../../story/edits.js'
import type { ScenarioInput } from '../../../story/format/scenario.js'
import type { Disturbance, DisturbedStory } from '../disturbance.js'
import { type AutomaticMail, automaticMail, isAutomaticMail } from './automatic-mail.js'
import { afterMs, atRequest, methodOf, numberIn, timedMail } from './used.js'

/** What an id says, beside its kind: the name of the disturbance, and the parts after it. */
type Parts = readonly string[]

/** One way in which mail disturbs an agent. */
export interface MailWay {
  readonly advice: string
  /** Returns what happens, and the document in which it does; undefined if the scenario has nothing of that name. */
  apply(parts: Parts, story: DisturbedStory, key: string): MailEffect | undefined
}

interface MailEffect extends Pick<Disturbance, 'expects'> {
  readonly words: string
  edit(document: ScenarioInput): ScenarioInput
}

type Receive = NonNullable<EntryInput['receive']>

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
export function firstMail(handle: string, story: DisturbedStory): number {
  const own = timedMail(story).find(({ entry: { receive } }) => {
    const to = [receive.to ?? []].flat()
    return to.length === 0 || to.some((one) => one.replace(/^@/, '') === handle)
  })
  return own?.after ?? 0
}

/** Returns the way of a name; undefined if there is none. */
export function wayNamed(name: string): MailWay | undefined {
  if (isAutomaticMail(name)) return automaticWay(name)
  return Object.hasOwn(ways, name) ? ways[name] : undefined
}
