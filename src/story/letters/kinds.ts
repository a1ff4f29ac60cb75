import { escapeHtml } from '../../base/text.js'
import type { Body } from '../../service/model/base.js'
import type { HeaderField } from '../../service/model/rows.js'
import { createRandom, mixNumber, type Random } from '../../service/time/random.js'
import {
  type AttachmentChoice,
  type Language,
  LetterCompiler,
  type LetterProblem,
  type Person,
  type Topic,
} from './language.js'
import type { AnnouncementSource, ConversationSource, KindSource, LanguageSource } from './schema.js'
import { type Facts, renderText, type Template } from './template.js'

/** The beginning of an earlier message, quoted below a reply. */
interface Quotation {
  /** e.g. `On Tuesday, 6 January, Ann Lee wrote:`. */
  readonly intro: string
  readonly lines: readonly string[]
}

interface Style extends Pick<LanguageSource, 'tag' | 'right_to_left' | 'colon'> {}

/** The style of mail that a machine sends. */
interface Look extends Style {
  readonly title: string
  /** The colour of headlines and links. */
  readonly colour: string
}

const quotedLength = 150

/** Formats paragraphs as plain text, and as HTML that looks like shop mail. */
function announcementBody(paragraphs: readonly string[], look: Look) {
  const blocks = paragraphs.map((paragraph) => blockOf(paragraph, look))
  const head = `<title>${escapeHtml(look.title)}</title>`
  const css = ' style="font-family: sans-serif; max-width: 36em; margin: 0 auto;"'
  const html = page(look, head, css, ...blocks.map((block) => block.html))
  return { text: `${blocks.map(({ text }) => text).join('\n\n')}\n`, html }
}

function page({ tag, right_to_left }: Style, head: string, attributes: string, ...blocks: string[]): string {
  const language = tag === undefined ? '' : ` lang="${tag}"${right_to_left ? ' dir="rtl"' : ''}`
  const start = `<!doctype html>\n<html${language}>\n<head><meta charset="utf-8">${head}</head>\n<body${attributes}>`
  return `${[start, ...blocks].join('\n')}\n</body>\n</html>\n`
}

/** Formats a paragraph: `# heading`, `~ small print`, `[label](address)`, rows of `| label | value |`, or plain text. */
function blockOf(paragraph: string, { colon, colour }: Look): { text: string; html: string } {
  const [, label, address = ''] = /^\[([^\]]*)\]\((.*)\)$/.exec(paragraph) ?? []
  if (label !== undefined) {
    const html = `<p><a href="${htmlLines(address)}" style="color: ${colour};">${htmlLines(label)}</a></p>`
    return { text: `${label}${colon.trimEnd()}\n${address}`, html }
  }
  if (paragraph.startsWith('# ')) {
    const text = paragraph.slice(2)
    const html = `<h2 style="color: ${colour};">${htmlLines(text)}</h2>`
    return { text: `${text}\n${'-'.repeat(text.length)}`, html }
  }
  if (paragraph.startsWith('~ ')) {
    const text = paragraph.replace(/^~ /gm, '')
    return { text, html: `<p style="color: #666; font-size: small;">${htmlLines(text)}</p>` }
  }
  const lines = paragraph.split('\n').map((line) => /^\| (.*?) \| (.*) \|$/.exec(line))
  if (!lines.every((line) => line !== null))
    return { text: paragraph, html: `<p>${htmlLines(paragraph)}</p>` }
  const text = lines.map(([, name, value]) => `${name}${colon}${value}`).join('\n')
  const rows = lines.map(([, name = '', value = '']) => {
    return `<tr><td>${htmlLines(name)}</td><td>${htmlLines(value)}</td></tr>`
  })
  return { text, html: `<table cellpadding="4">${rows.join('')}</table>` }
}

/** Formats the paragraphs of a personal letter as text and, for a third of the letters, as HTML as well. */
function letterBody(
  paragraphs: readonly string[],
  quotation: Quotation | undefined,
  style: Style,
  random: Random,
): Body {
  const html = random.chance(1 / 3) ? letterHtml(paragraphs, quotation, style) : null
  const quoted = quotation?.lines.map((line) => (line === '' ? '>' : `> ${line}`))
  const text = quoted ? [...paragraphs, [quotation?.intro, ...quoted].join('\n')] : paragraphs
  return { text: `${text.join('\n\n')}\n`, html }
}

function letterHtml(paragraphs: readonly string[], quotation: Quotation | undefined, style: Style): string {
  const blocks = paragraphs.map((paragraph) => `<p>${htmlLines(paragraph)}</p>`)
  if (quotation) {
    const lines = htmlLines(quotation.lines.join('\n'))
    blocks.push(`<p>${escapeHtml(quotation.intro)}</p>`, `<blockquote>${lines}</blockquote>`)
  }
  return page(style, '', '', ...blocks)
}

/** Quotes the beginning of a letter below an attribution line. */
function quoteBeginning(intro: string, greeting: string, paragraph: string): Quotation {
  const beginning = shortenAtWord(paragraph, quotedLength).split('\n')
  return { intro, lines: greeting === '' ? beginning : [...greeting.split('\n'), '', ...beginning] }
}

/** Truncates text between words to at most `limit` characters, including `…`. */
function shortenAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text
  const space = text.lastIndexOf(' ', limit - 1)
  return `${text.slice(0, space > 0 ? space : limit - 1)}…`
}

function htmlLines(text: string): string {
  return escapeHtml(text).replace(/\n/g, '<br>\n')
}

/** The setting of a thread: the agent who owns the mailbox, and the people to choose from. */
export interface Setting {
  readonly agentName: string
  readonly agentAddress: string
  readonly company: string
  /** When the thread begins, in milliseconds since the epoch. */
  readonly begins: number
  /** Draws an outside person. */
  person(random: Random): Person
}

/** One generated thread; its facts are drawn once, so that names, numbers and dates agree in all its messages. */
export interface GeneratedThread {
  readonly subject: string
  /** The outside sender. */
  readonly from: { readonly name: string; readonly address: string }
  /** Additional header fields of all its messages, if there are any. */
  readonly headers?: readonly HeaderField[]
  /** Composes a message, counted from 0; may be called in any order, and draws only from the message's own stream. */
  compose(index: number, random: Random): Body
  /** Chooses a suitable file for a message, if there is one. */
  attachment(index: number, random: Random): AttachmentChoice | undefined
}

/** A kind of mail, e.g. refund requests or newsletters. */
export interface MailKind {
  readonly name: string
  /** Its name in `kinds` of a scenario: a category, or the file it comes from. */
  readonly category: string
  /** Its weight relative to the other kinds of its category. */
  readonly weight: number
  /** Whether nobody replies to it: all messages come from outside, and a thread has one or two. */
  readonly oneWay: boolean
  /** Whether it comes from a user's file; it is then used only by name. */
  readonly isOwn: boolean
  /** Draws the facts of a thread. */
  begin(random: Random, setting: Setting): GeneratedThread
}

const voices = 0x7fffffff
const maxSubjectLength = 120
// Larger than any index of a message, so that the choices of wording and of typing mistake are independent.
const slipTurn = 9001

type Begin = MailKind['begin']

/** Compiles a kind of mail; its texts are compiled when they are first used. */
export function compileKind(
  language: Language,
  source: KindSource,
  compiler = new LetterCompiler(language, source),
): Begin {
  return 'first' in source
    ? announcement(language, compiler, source)
    : conversation(language, compiler, source)
}

/** Returns the problems of a kind of mail, and of its language, by filling in each of their texts once. */
export function problemsOfKind(language: Language, source: KindSource): LetterProblem[] {
  const compiler = new LetterCompiler(language, source)
  compileKind(language, source, compiler)
  const [agentName, agentAddress, company] = ['Support', 'support@agents.example', 'Northwind']
  const names = { firstName: 'Ann', lastName: 'Lee', fullName: 'Ann Lee' }
  const person: Person = { ...names, gender: 'unknown', address: 'ann@mail.example' }
  const setting = { agentName, agentAddress, company, begins: 0, person: () => person }
  const isOfPerson = !('first' in source) || source.person
  const facts = beginFacts(language, setting, isOfPerson ? person : undefined)
  const problems = compiler.problems(facts, createRandom(1, 'letters'))
  return isOfPerson ? [...problems, ...language.problems({ ...facts, titles: '', writer: '' })] : problems
}

function announcement(language: Language, compiler: LetterCompiler, source: AnnouncementSource): Begin {
  const subjects = compiler.templates(source.subject, ['subject'])
  const name = compiler.template(source.from.name, ['from', 'name'])
  const address = compiler.template(source.from.address, ['from', 'address'])
  const fields = Object.entries(source.headers).map(([name, value]) => {
    return [name, compiler.template(value, ['headers', name])] as const
  })
  // A million messages share these.
  const fixed = Object.entries(source.headers)
  const isFixed = fixed.every(([, value]) => !value.includes('{'))
  const first = compiler.templates(source.first, ['first'])
  const next = source.next.map((step, index) => compiler.templates(step, ['next', index]))
  const steps = next.length > 0 ? next : [first]
  const attachment = compiler.attachments(source)
  const { share, alone, colour } = source.html ?? { share: 0, alone: 0, colour: '' }
  return (random, setting) => {
    const facts = beginFacts(language, setting, source.person ? setting.person(random) : undefined)
    compiler.draw(facts, random)
    const voice = random.integer(0, voices)
    const title = subjectOf(subjects, facts, voice)
    const letterAt = (index: number): Template => {
      if (index === 0) return choose(first, voice, 0)
      const round = Math.floor((index - 1) / steps.length)
      const step = steps[(index - 1) % steps.length] as typeof first
      return step[(voice + round) % step.length] as Template
    }
    return {
      subject: title,
      from: { name: renderText(name, facts), address: renderText(address, facts) },
      headers: isFixed ? fixed : fields.map(([name, value]) => [name, renderText(value, facts)] as const),
      compose(index, stream) {
        const look = { ...language.source, title, colour }
        const { text, html } = announcementBody(paragraphsOf(letterAt(index), facts), look)
        if (!stream.chance(share)) return { text, html: null }
        return { text: stream.chance(alone) ? null : text, html }
      },
      attachment: (index, stream) => attachment(facts, index, stream),
    }
  }
}

/** The turns of a conversation in order; a kind may omit some. */
const turnNames = ['opening', 'answer', 'reaction', 'solution', 'thanks', 'farewell'] as const

function conversation(language: Language, compiler: LetterCompiler, source: ConversationSource): Begin {
  const subjects = compiler.templates(source.subject, ['subject'])
  const titles = source.titles === undefined ? undefined : compiler.template(source.titles, ['titles'])
  const present = turnNames.filter((name) => source[name] !== undefined)
  const turns = present.map((name) => compiler.wordings(source[name] ?? [], [name]))
  const later = compiler.topics(source.later, ['later'])
  const attachment = compiler.attachments(source)
  const { style, furtherTopics } = language

  const letterAt = (index: number, voice: number): Template => {
    const turn = turns[index]
    if (turn) return choose(turn, voice, index)
    const round = (index - turns.length) >> 1
    const topic = later[round] ?? (furtherTopics[(round + voice) % furtherTopics.length] as Topic)
    return choose(topic[index % 2] as readonly Template[], voice, round)
  }
  return (random, setting) => {
    const person = setting.person(random)
    const facts = beginFacts(language, setting, person)
    compiler.draw(facts, random)
    const voice = random.integer(0, voices)
    facts.titles = titles === undefined ? '' : renderText(titles, facts)
    const write = (index: number) => {
      const paragraphs = paragraphsOf(letterAt(index, voice), facts)
      return index % 2 === 0
        ? fromPerson(language, facts, paragraphs, voice, { index, isThanks: present[index] === 'thanks' })
        : fromAgent(language, facts, paragraphs, voice)
    }
    const quote = (index: number) => {
      facts.writer = index % 2 === 0 ? facts.full_name : facts.agent_name
      // Only the day of the first message is known here.
      const intro = renderText(index === 0 ? style.quotes.with_day : style.quotes.without_day, facts)
      const { greeting, paragraphs } = write(index)
      return quoteBeginning(intro, greeting, paragraphs[0] ?? '')
    }
    return {
      subject: subjectOf(subjects, facts, voice),
      from: { name: person.fullName, address: person.address },
      compose(index, stream) {
        const quotation = index > 0 && stream.chance(0.5) ? quote(index - 1) : undefined
        const { greeting, paragraphs, signature } = write(index)
        const letter = greeting === '' ? [...paragraphs, signature] : [greeting, ...paragraphs, signature]
        if (index === 0 && stream.chance(0.08)) letter.push(stream.pick(language.source.postscripts))
        return letterBody(letter, quotation, language.source, stream)
      },
      attachment: (index, stream) => attachment(facts, index, stream),
    }
  }
}

function paragraphsOf(letter: Template, facts: Facts): string[] {
  return renderText(letter, facts).split(/\n{2,}/)
}

function fromPerson(
  { style, source }: Language,
  facts: Facts,
  [first = '', ...others]: readonly string[],
  voice: number,
  { index, isThanks }: { index: number; isThanks: boolean },
) {
  const greetings = index === 0 ? style.greetings.opening : style.greetings.follow_up
  const closings = isThanks ? style.closings.calm : style.closings.person
  const closing = renderText(choose(closings, voice, 400), facts)
  const device = index > 0 || facts.titles !== '' ? '' : choose(source.devices, voice, 401)
  const ofFirst = facts.titles === '' ? style.signatures.first : style.signatures.titled
  const name = index > 0 ? choose(style.signatures.later, voice, 402) : ofFirst
  return {
    greeting: renderText(choose(greetings, voice, 200 + index), facts),
    paragraphs: [withSlip(source.slips, first, voice, index), ...others],
    signature: `${closed(source, closing)}${renderText(name, facts)}${device === '' ? '' : `\n\n${device}`}`,
  }
}

function fromAgent({ style, source }: Language, facts: Facts, paragraphs: readonly string[], voice: number) {
  const closing = renderText(choose(style.closings.agent, voice, 500), facts)
  return {
    greeting: renderText(choose(style.greetings.agent, voice, 300), facts),
    paragraphs,
    signature: `${closed(source, closing)}${renderText(style.signatures.agent, facts)}`,
  }
}

/** Returns the closing words, followed by the line break before the name. */
function closed({ signatures }: Language['source'], closing: string): string {
  if (closing === '') return ''
  return `${closing}${signatures.blank_line ? '\n\n' : '\n'}`
}

/** Puts a typing mistake into the words of some people, the same one for each voice and turn. */
function withSlip(slips: Language['source']['slips'], words: string, voice: number, turn: number): string {
  if (slips === undefined || mixNumber(slipTurn, voice) % slips.one_in !== 0) return words
  const [right, wrong] = choose(Object.entries(slips.words), voice, slipTurn + turn)
  const at = words.indexOf(right)
  return at < 0 ? words : words.slice(0, at) + wrong + words.slice(at + right.length)
}

/** Returns the facts that every thread has; the lists of the language are on the prototype. */
function beginFacts(language: Language, setting: Setting, person: Person | undefined): Facts {
  const facts: Facts = Object.create(language.source.lists)
  return Object.assign(facts, {
    agent_name: setting.agentName,
    agent_address: setting.agentAddress,
    company: setting.company,
    begins: setting.begins,
    first_name: person?.firstName,
    last_name: person?.lastName,
    full_name: person?.fullName,
    gender: person?.gender,
    address: person?.address,
  })
}

function subjectOf(subjects: readonly Template[], facts: Facts, voice: number): string {
  return shortenAtWord(renderText(choose(subjects, voice, 100), facts), maxSubjectLength)
}

/** Chooses a wording by the voice of a thread and a turn in it, so that quoting it needs no stream. */
function choose<T>(wordings: readonly T[], voice: number, turn: number): T {
  return wordings[mixNumber(turn, voice) % wordings.length] as T
}
