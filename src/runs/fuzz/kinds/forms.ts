import {
  fitsReply,
  forms,
  type LetterForm,
  type LetterFormName,
  letterFormNames,
} from '../../../story/compile/forms.js'
import { namesOfEntries } from '../../../story/compile/names.js'
import type { FormedMessage, MessagePlace } from '../../../story/overlays/message-forms.js'
import type { EntryInput } from '../../../story/overlays/moves.js'
import { type ElementKind, inTimeline, listedIdentities, type PoolFacts } from './kind.js'
import { defaultKinds } from './vary.js'

/** Messages of the story that another mail program writes; what people say in them stays the same. */
export interface FormElement {
  readonly vary: 'forms'
  readonly form: LetterFormName
  /** The message in words. */
  readonly of: string
  /** The name of its entry in the timeline, if there is one. */
  readonly entry?: string
  readonly places: readonly MessagePlace[]
}

/** A message whose form may change. */
interface OwnMessage extends Pick<FormElement, 'of' | 'entry'> {
  readonly place: MessagePlace
  /** Whether there is an earlier one of its thread, which it may quote. */
  readonly isReply: boolean
  /** Whether it replies to what the agent sends. */
  readonly isAnswer: boolean
}

/** The most messages of which each has its own elements; all together have another one. */
const mostMessages = 12

export const formKind: ElementKind<FormElement> = {
  elements(facts) {
    const messages = ownMessages(facts)
    const tried = letterFormNames.filter((name) => {
      const when = triedBy(name)
      if (when === 'raw') return isNamed(facts) && facts.base.operations.has('messages.raw')
      return when === 'always' || (when === 'named' && isNamed(facts))
    })
    return tried.flatMap((form): FormElement[] => {
      const { quotes }: LetterForm = forms[form]
      const fitting = messages.filter(({ isReply, isAnswer }) => {
        return (!quotes || isReply) && (!isAnswer || fitsReply(form))
      })
      const each = fitting.slice(0, mostMessages).map(({ of, entry, place }): FormElement => {
        return { vary: 'forms', form, of, ...(entry !== undefined && { entry }), places: [place] }
      })
      if (fitting.length < 2) return each
      const all = { of: 'every message of the story', places: fitting.map(({ place }) => place) }
      const every = { vary: 'forms', form, ...all } as const
      // Usually only all together, which any client meets, and which is loaded once for all plans.
      return isNamed(facts) ? [...each, every] : [every]
    })
  },
  describe: ({ form, of }) => `${of} is written ${forms[form].describe}`,
  advice: () =>
    'Read the text and the HTML of a message, whichever says more, without what it quotes; take who wrote from the address, and ' +
    'the recipient from the mailbox that you list.',
  changes: () => ['words'],
  isMet({ entry }, { operations, happened }) {
    return (
      (operations.has('messages.list') || operations.has('messages.raw')) &&
      (entry === undefined || happened.has(entry))
    )
  },
  form: ({ form }) => form,
  spot: ({ of }) => of,
  // Of those that are always tried, one in a plan, since each combination is a scenario that has to be loaded.
  subject: ({ form, of }) => (triedBy(form) === 'always' ? 'forms' : `forms ${of}`),
  shape: ({ form }) => `forms:${form}`,
  overlay: (elements) => ({ forms: formedBy(elements) }),
}

/** Returns whether somebody has named `forms`, rather than kinds in addition to the usual ones. */
function isNamed({ named = defaultKinds }: Pick<PoolFacts, 'named'>): boolean {
  return named.includes('forms') && defaultKinds.some((kind) => !named.includes(kind))
}

function triedBy(form: LetterFormName): LetterForm['fuzz'] {
  const { fuzz }: LetterForm = forms[form]
  return fuzz
}

/** Returns the messages that elements change; the first element about a message wins. */
function formedBy(elements: readonly FormElement[]): FormedMessage[] {
  const all = elements.flatMap(({ form, places }) => places.map((place) => ({ place, forms: [form] })))
  const first = new Map(all.toReversed().map((one) => [JSON.stringify(one.place), one]))
  return [...first.values()]
}

/** Returns the messages of the story that people write: those of the timeline, and those of mailboxes that the client lists. */
function ownMessages(facts: PoolFacts): OwnMessage[] {
  const { timeline = [], identities = [] } = facts.document
  const listed = new Set(listedIdentities(facts).map(({ handle }) => handle))
  const begun = new Set(identities.flatMap(({ threads = [] }) => threads.flatMap(({ key }) => key ?? [])))
  const names = namesOfEntries(timeline)
  const told = timeline.flatMap((one: EntryInput, entry): OwnMessage[] => {
    const { receive } = one
    if (!receive || receive.again || receive.forms || !hasWords(receive)) return []
    const { thread, in_reply_to } = receive
    const isReply = in_reply_to !== undefined || (thread !== undefined && begun.has(thread))
    if (thread !== undefined) begun.add(thread)
    const name = names[entry] as string
    const of = inTimeline({ entry, name })
    return [{ of, entry: name, place: { entry }, isReply, isAnswer: in_reply_to !== undefined }]
  })
  const written = identities.flatMap(({ handle, threads = [] }, identity) => {
    return threads.flatMap(({ messages }, thread) => {
      return messages.flatMap((one, message): OwnMessage[] => {
        const isOther = one.direction === 'outbound' || one.maildir !== undefined || one.forms !== undefined
        if (isOther || !listed.has(handle) || !hasWords(one)) return []
        const of = `message ${message + 1} of thread ${thread + 1} of ${handle}`
        return [{ of, place: { identity, thread, message }, isReply: message > 0, isAnswer: false }]
      })
    })
  })
  return [...told, ...written]
}

/** Returns whether a message has its words in the scenario itself. */
function hasWords({
  text,
  html,
  eml,
}: Pick<NonNullable<EntryInput['receive']>, 'text' | 'html' | 'eml'>): boolean {
  return (text ?? html ?? '') !== '' && eml === undefined
}
