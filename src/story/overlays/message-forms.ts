import type { LetterFormName } from '../compile/forms.js'
import type { ScenarioInput } from '../format/scenario.js'

/** A message that a scenario writes: an entry of its timeline, or its place in a mailbox. */
export type MessagePlace =
  | { readonly entry: number }
  | { readonly identity: number; readonly thread: number; readonly message: number }

/** The forms in which a message of a scenario is written, instead of its own. */
export interface FormedMessage {
  readonly place: MessagePlace
  readonly forms: readonly LetterFormName[]
}

/** Returns a scenario that writes some messages in other forms; of several forms of a message, the last ones count. */
export function withForms(document: ScenarioInput, formed: readonly FormedMessage[]): ScenarioInput {
  if (formed.length === 0) return document
  const formsAt = new Map(formed.map(({ place, forms }) => [JSON.stringify(place), [...forms]]))
  const written = <Message extends object>(message: Message, place: MessagePlace): Message => {
    const forms = formsAt.get(JSON.stringify(place))
    return forms ? { ...message, forms } : message
  }
  const { identities, timeline } = document
  return {
    ...document,
    ...(identities && {
      identities: identities.map((one, identity) => {
        const threads = one.threads?.map((own, thread) => {
          const messages = own.messages.map((each, message) => written(each, { identity, thread, message }))
          return { ...own, messages }
        })
        return { ...one, ...(threads && { threads }) }
      }),
    }),
    ...(timeline && {
      timeline: timeline.map((one, entry) => {
        return one.receive ? { ...one, receive: written(one.receive, { entry }) } : one
      }),
    }),
  }
}
