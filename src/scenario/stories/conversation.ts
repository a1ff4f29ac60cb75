import type { Random } from '../../world/random.js'
import type { StoryCategory } from './categories.js'
import type { Language } from './language.js'
import type { Circumstances } from './letters/circumstances.js'
import { agentGreeting, personGreeting } from './letters/greetings.js'
import { htmlLetter, type Quotation } from './letters/html-letter.js'
import { htmlRoot } from './letters/html-root.js'
import { formatQuotation, quoteBeginning, shorten } from './letters/quotation.js'
import { agentSignature, personSignature } from './letters/signatures.js'
import { variant } from './letters/variant.js'
import type { Body, Person, Setting, Story, StoryAttachment, StoryKind } from './story.js'

/** One wording: a paragraph or several, written from the thread's facts. */
export type Words<F> = (facts: F) => string | readonly string[]

/** Something the person brings up after the matter itself is settled, and what the agent says to it. */
export interface Topic<F> {
  readonly question: readonly Words<F>[]
  /** As many as there are questions, each to the question in the same place. */
  readonly answer: readonly Words<F>[]
}

/** A kind of correspondence: its facts and, for each turn, wordings that all fit those of the turn before. */
export interface Conversation<F extends object> {
  /** Kebab-case name, e.g. `late-delivery`. */
  readonly name: string
  readonly category: StoryCategory
  readonly weight: number
  facts(random: Random, setting: Setting): F
  readonly subject: readonly ((facts: F & Circumstances) => string)[]
  /** Index 0, from the person. */
  readonly opening: readonly Words<F & Circumstances>[]
  /** Index 1, from the agent. */
  readonly answer: readonly Words<F & Circumstances>[]
  /** Index 2, from the person. */
  readonly reaction: readonly Words<F & Circumstances>[]
  /** Index 3, from the agent. */
  readonly solution: readonly Words<F & Circumstances>[]
  /** Index 4, from the person. */
  readonly thanks: readonly Words<F & Circumstances>[]
  /** Index 5, from the agent. */
  readonly farewell: readonly Words<F & Circumstances>[]
  /** Index 6 and 7, 8 and 9 and so on, before the topics all kinds share. */
  readonly later: readonly Topic<F & Circumstances>[]
  /** Stands below the person's name in the first message, e.g. `Buyer, Brackwater Foods`. */
  titles?(facts: F & Circumstances): string
  attachment?(facts: F & Circumstances, index: number, random: Random): StoryAttachment | undefined
}

/** How many messages come before the later topics. */
const SETTLED = 6
const VOICES = 0x7fffffff
const LONGEST_SUBJECT = 120

interface Message {
  readonly greeting: string
  readonly paragraphs: readonly string[]
  readonly signature: string
}

/** Makes a story kind of a conversation between a person and the agent. */
export function defineConversation<F extends object>(language: Language, plan: Conversation<F>): StoryKind {
  const script = createScript(language, plan)
  return {
    name: plan.name,
    category: plan.category,
    weight: plan.weight,
    begin: (random, setting) => beginThread(language, plan, script, random, setting),
  }
}

/** The wordings of every message of a kind, by index. */
type Script<F> = (facts: F, index: number) => string | readonly string[]

function createScript<F extends object>(
  { furtherTopics }: Language,
  plan: Conversation<F>,
): Script<F & Circumstances> {
  type Told = F & Circumstances
  const turns = [plan.opening, plan.answer, plan.reaction, plan.solution, plan.thanks, plan.farewell]
  const own = plan.later
  return (facts, index) => {
    const { voice } = facts
    const turn = turns[index]
    if (turn !== undefined) return variant(turn, voice, index)(facts)
    const round = (index - SETTLED) >> 1
    const topic: Topic<Told> =
      own[round] ?? (furtherTopics[(round + voice) % furtherTopics.length] as Topic<Told>)
    const isQuestion = index % 2 === 0
    return variant(isQuestion ? topic.question : topic.answer, voice, round)(facts)
  }
}

function beginThread<F extends object>(
  language: Language,
  plan: Conversation<F>,
  script: Script<F & Circumstances>,
  random: Random,
  setting: Setting,
): Story {
  const person = setting.person(random)
  // Not spread twice: the engine would make a new class for every thread.
  const facts = Object.assign({}, plan.facts(random, setting), drawCircumstances(random, setting, person))
  const titles = plan.titles?.(facts) ?? ''
  const write = (index: number): Message => writeMessage(language, facts, script(facts, index), index, titles)
  return {
    subject: shorten(variant(plan.subject, facts.voice, 100)(facts), LONGEST_SUBJECT),
    from: { name: person.fullName, address: person.address },
    compose(index, random) {
      const quoted = index > 0 && random.chance(0.5) ? write(index - 1) : null
      const quotation = quoted && quote(language, quoted, facts, index - 1)
      return composeBody(language, write(index), quotation, index, random)
    },
    attachment: (index, random) => plan.attachment?.(facts, index, random),
  }
}

function drawCircumstances(random: Random, setting: Setting, person: Person): Circumstances {
  return {
    agentName: setting.agentName,
    company: setting.company,
    begins: setting.begins,
    voice: random.integer(0, VOICES),
    ...person,
  }
}

function writeMessage(
  language: Language,
  circumstances: Circumstances,
  words: string | readonly string[],
  index: number,
  titles: string,
): Message {
  const paragraphs = typeof words === 'string' ? [words] : words
  if (index % 2 === 1) {
    const greeting = agentGreeting(language, circumstances)
    return { greeting, paragraphs, signature: agentSignature(language, circumstances) }
  }
  const [first = '', ...others] = paragraphs
  return {
    greeting: personGreeting(language, circumstances, index),
    paragraphs: [language.withSlip?.(first, circumstances.voice, index) ?? first, ...others],
    signature: personSignature(language, circumstances, index, titles),
  }
}

/** Only the first message's day is known here, so only that one is quoted with its day. */
function quote(
  language: Language,
  { greeting, paragraphs }: Message,
  { fullName, agentName, begins }: Circumstances,
  index: number,
): Quotation {
  const intro = language.quotes(index % 2 === 0 ? fullName : agentName, index === 0 ? begins : null)
  return quoteBeginning(intro, greeting, paragraphs[0] ?? '')
}

function composeBody(
  language: Language,
  message: Message,
  quotation: Quotation | null,
  index: number,
  random: Random,
): Body {
  const letter = [...message.paragraphs, message.signature]
  if (message.greeting !== '') letter.unshift(message.greeting)
  if (index === 0 && random.chance(0.08)) letter.push(random.pick(language.postscripts))
  const html = random.chance(1 / 3) ? htmlLetter(htmlRoot(language), letter, quotation) : null
  if (quotation !== null) letter.push(formatQuotation(quotation))
  return { text: `${letter.join('\n\n')}\n`, html }
}
