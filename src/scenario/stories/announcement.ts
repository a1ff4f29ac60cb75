import type { Random } from '../../world/random.js'
import type { StoryCategory } from './categories.js'
import type { Language } from './language.js'
import { type Block, letterHtml, letterText } from './letters/letter.js'
import { shorten } from './letters/quotation.js'
import { variant } from './letters/variant.js'
import type { Body, Setting, Story, StoryAttachment, StoryKind } from './story.js'

/** One letter, written from the thread's facts. */
export type Letter<F> = (facts: F) => readonly Block[]

/** What every announcement knows besides its own facts. */
export interface Recipient {
  readonly agentName: string
  readonly agentAddress: string
  readonly company: string
  /** When the thread begins, in milliseconds since the epoch. */
  readonly begins: number
  /** A number from which every choice of wording in the thread follows. */
  readonly voice: number
}

/** A kind of mail that nobody answers. */
export interface Announcement<F extends object> {
  /** Kebab-case name, e.g. `shipping-notice`. */
  readonly name: string
  readonly category: StoryCategory
  readonly weight: number
  facts(random: Random, setting: Setting): F
  from(facts: F & Recipient): { readonly name: string; readonly address: string }
  readonly subject: readonly ((facts: F & Recipient) => string)[]
  /** Index 0. */
  readonly first: readonly Letter<F & Recipient>[]
  /** Index 1 and on, over and over: the wordings of each step. */
  readonly next: readonly (readonly Letter<F & Recipient>[])[]
  /** The colour of headlines and links, e.g. `#205072`. */
  readonly colour: string
  /** How likely a message has an HTML alternative, and how likely it then comes without text. */
  readonly html: number
  readonly htmlOnly: number
  attachment?(facts: F & Recipient, index: number, random: Random): StoryAttachment | undefined
}

const VOICES = 0x7fffffff
const LONGEST_SUBJECT = 120

/** Makes a one-way story kind of letters that a shop, a list or a machine sends. */
export function defineAnnouncement<F extends object>(language: Language, plan: Announcement<F>): StoryKind {
  return {
    name: plan.name,
    category: plan.category,
    weight: plan.weight,
    oneWay: true,
    begin: (random, setting) => beginThread(language, plan, random, setting),
  }
}

function beginThread<F extends object>(
  language: Language,
  plan: Announcement<F>,
  random: Random,
  setting: Setting,
): Story {
  // Not spread twice: the engine would make a new class for every thread.
  const facts = Object.assign({}, plan.facts(random, setting), drawRecipient(random, setting))
  const subject = shorten(variant(plan.subject, facts.voice, 100)(facts), LONGEST_SUBJECT)
  return {
    subject,
    from: plan.from(facts),
    compose(index, random): Body {
      const blocks = chooseLetter(plan, facts.voice, index)(facts)
      const html = random.chance(plan.html) ? letterHtml(language, subject, plan.colour, blocks) : null
      const text = html !== null && random.chance(plan.htmlOnly) ? null : letterText(language, blocks)
      return { text, html }
    },
    attachment: (index, random) => plan.attachment?.(facts, index, random),
  }
}

function chooseLetter<F extends object>(
  plan: Announcement<F>,
  voice: number,
  index: number,
): Letter<F & Recipient> {
  if (index === 0) return variant(plan.first, voice, 0)
  const round = Math.floor((index - 1) / plan.next.length)
  const step = plan.next[(index - 1) % plan.next.length] as readonly Letter<F & Recipient>[]
  return step[(voice + round) % step.length] as Letter<F & Recipient>
}

function drawRecipient(random: Random, setting: Setting): Recipient {
  return {
    agentName: setting.agentName,
    agentAddress: setting.agentAddress,
    company: setting.company,
    begins: setting.begins,
    voice: random.integer(0, VOICES),
  }
}
