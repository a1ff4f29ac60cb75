import { type Announcement, defineAnnouncement } from './announcement.js'
import { type Conversation, defineConversation, type Topic } from './conversation.js'
import type { Circumstances } from './letters/circumstances.js'
import type { People } from './people.js'
import type { StoryKind } from './story.js'

/** Words for a place in a letter, fixed or written from what every message knows. */
export type Phrase = string | ((circumstances: Circumstances) => string)

/** How the letters of a language are written, whatever they are about. */
export interface Language {
  /** What HTML says about itself, e.g. `pt-BR`; English mail says nothing. */
  readonly tag?: string
  /** Whether the language is written from right to left. */
  readonly rightToLeft?: boolean
  readonly people: People
  readonly greetings: {
    /** The person's first words in message 0; a line break may stand in them. */
    readonly opening: readonly Phrase[]
    /** The person's in messages 2, 4 and so on; '' where somebody does without. */
    readonly followUp: readonly Phrase[]
    /** The agent's, the same one throughout a thread. */
    readonly agent: readonly Phrase[]
  }
  /** What stands before the name, with the line break that ends it; '' where somebody does without. */
  readonly closings: {
    readonly person: readonly Phrase[]
    /** Under message 4, which is a thank-you already. */
    readonly calm: readonly Phrase[]
    readonly agent: readonly Phrase[]
  }
  /** The person's name under message `index`; `titles` is '' or what stands with it, e.g. `Buyer, Brackwater Foods`. */
  signName(circumstances: Circumstances, index: number, titles: string): string
  /** The agent's name and the organization's. */
  signAgent(circumstances: Circumstances): string
  /** Below the name in a first message without titles, e.g. `Sent from my phone`; '' for nothing. */
  readonly devices: readonly string[]
  /** Added below a first message now and then. */
  readonly postscripts: readonly string[]
  /** The line above a quotation, e.g. `On Tuesday, 6 January, Ann Lee wrote:`; `at` is null where the day is unknown. */
  quotes(writer: string, at: number | null): string
  /** Between a label and its value in plain text, e.g. `: `. */
  readonly colon: string
  /** What people still write about once everything is settled. */
  readonly furtherTopics: readonly Topic<Circumstances>[]
  /** Spoils a person's words with a typing mistake, where their voice makes them. */
  withSlip?(words: string, voice: number, turn: number): string
}

/** What the kinds of a language are made with. */
export interface Letters {
  /** Makes a story kind of a conversation between a person and the agent. */
  conversation<F extends object>(plan: Conversation<F>): StoryKind
  /** Makes a one-way story kind of letters that a shop, a list or a machine sends. */
  announcement<F extends object>(plan: Announcement<F>): StoryKind
}

/** A language with all that is written in it. */
export interface LanguageStories {
  readonly language: Language
  readonly kinds: readonly StoryKind[]
}

/**
 * Declares a language once, for all of its kinds.
 *
 * @example export const { conversation, announcement } = defineLanguage(german)
 */
export function defineLanguage(language: Language): Letters {
  return {
    conversation: (plan) => defineConversation(language, plan),
    announcement: (plan) => defineAnnouncement(language, plan),
  }
}
