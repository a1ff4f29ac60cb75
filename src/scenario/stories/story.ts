import type { Random } from '../../world/random.js'
import type { StoryCategory } from './categories.js'

/** Where a story takes place: the agent whose mailbox it is and the people's names to choose from. */
export interface Setting {
  /** The agent's display name, e.g. `Northwind Support`. */
  readonly agentName: string
  /** The agent's mailbox address. */
  readonly agentAddress: string
  /** The organization's name, e.g. `Northwind Outfitters`. */
  readonly company: string
  /** When the thread begins, in milliseconds since the epoch. */
  readonly begins: number
  /** Draws a person who writes from outside. */
  person(random: Random): Person
}

/** What a language inflects its words by; names that tell nothing are `unknown`. */
export type Gender = 'female' | 'male' | 'unknown'

/** Somebody who writes to the agent. */
export interface Person {
  readonly firstName: string
  readonly lastName: string
  /** Both names in the order of the language, e.g. `Ann Lee` or `佐藤 健`. */
  readonly fullName: string
  readonly gender: Gender
  readonly address: string
}

/** The words of one message. */
export interface Body {
  readonly text: string | null
  readonly html: string | null
}

/** One thread's facts, drawn once, so that names, numbers and dates agree in all its messages. */
export interface Story {
  readonly subject: string
  /** Who writes from outside. */
  readonly from: { readonly name: string; readonly address: string }
  /**
   * Writes message `index` (0 is the first). Even indexes come from outside, odd ones from the agent,
   * unless the kind is one-way: then all come from outside. Called lazily and in any order; draws only
   * from `random`, which is the message's own stream.
   */
  compose(index: number, random: Random): Body
  /** The name of a file in fixtures/attachments that suits message `index`, if one does. */
  attachment?(index: number, random: Random): StoryAttachment | undefined
}

/** A file of fixtures/attachments under the name the sender gave it. */
export interface StoryAttachment {
  /** The file's name in fixtures/attachments, e.g. `invoice.pdf`. */
  readonly fixture: string
  /** The name the message shows, e.g. `invoice-2026-0412.pdf`. */
  readonly filename: string
}

/** A kind of correspondence, e.g. a refund request or a newsletter. */
export interface StoryKind {
  /** Kebab-case name, e.g. `late-delivery`. */
  readonly name: string
  readonly category: StoryCategory
  /** How often it occurs, relative to the other kinds. */
  readonly weight: number
  /** One-way mail (newsletters, receipts) is never answered; its threads have one or two messages. */
  readonly oneWay?: boolean
  /** Draws the thread's facts. */
  begin(random: Random, setting: Setting): Story
}
