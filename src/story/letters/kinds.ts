import type { Path } from '../../base/mistake.js'
import { escapeHtml } from '../../base/text.js'
import type { Body } from '../../service/model/base.js'
import type { HeaderField } from '../../service/model/rows.js'
import { createRandom, mixNumber, type Random } from '../../service/time/random.js'
import { type Language, Letters, type Person } from './language.js'
import type { AnnouncementSource, ConversationSource, KindSource, LanguageSource } from './schema.js'
import { type Facts, LetterError } from './template.js'

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

/** A file of fixtures/attachments under the name the sender gave it. */
interface AttachmentChoice {
  readonly fixture: string
  readonly filename: string
}

/** A question that people ask after others, with its answer. */
type Topic = ConversationSource['later'][number]

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

/** Returns what begins a thread of a kind of mail. */
export function compileKind(language: Language, source: KindSource): Begin {
  const letters = new Letters(language, source)
  return 'first' in source ? announcement(letters, source) : conversation(letters, source)
}

/** Returns the problems of a kind of mail, and of its language, by filling in each of their texts once. */
export function problemsOfKind(language: Language, source: KindSource) {
  const problems: { readonly path: Path; readonly message: string }[] = []
  const attempt = <Result>(path: Path, act: () => Result): Result | undefined => {
    try {
      return act()
    } catch (error) {
      if (!(error instanceof LetterError)) throw error
      problems.push({ path, message: error.message })
      return undefined
    }
  }
  const letters = attempt(['facts', 'with'], () => new Letters(language, source))
  if (!letters) return problems
  const [agentName, agentAddress, company] = ['Support', 'support@agents.example', 'Northwind']
  const names = { firstName: 'Ann', lastName: 'Lee', fullName: 'Ann Lee' }
  const person: Person = { ...names, gender: 'unknown', address: 'ann@mail.example' }
  const setting = { agentName, agentAddress, company, begins: 0, person: () => person }
  const isOfPerson = !('first' in source) || source.person
  const facts = beginFacts(letters, setting, isOfPerson ? person : undefined)
  const random = createRandom(1, 'letters')
  for (const { name, path, value } of letters.facts) {
    facts[name] = attempt(path, () => letters.drawn(value, facts, random)) ?? ''
  }
  const fillAll = (texts: unknown, path: Path): void => {
    if (typeof texts === 'string') {
      const all = () => (path.at(-1) === 'also' ? letters.wordings([{ also: texts }]) : [texts])
      attempt(path, () => all().map((text) => letters.fill(text, facts)))
      return
    }
    for (const [key, inner] of Object.entries(Object(texts))) {
      fillAll(inner, [...path, Array.isArray(texts) ? Number(key) : key])
    }
  }
  const { facts: _, parts: __, ...own } = source
  fillAll(own, [])
  if (!isOfPerson) return problems
  const { greetings, closings, quotes, signatures, further_topics } = language.source
  Object.assign(facts, { titles: '', writer: '' })
  fillAll({ greetings, closings, quotes, signatures, further_topics }, [])
  return problems
}

/** Chooses a suitable file for a message, if there is one. */
function attachmentOf(
  letters: Letters,
  { attachments }: KindSource,
  { facts, index, random }: { readonly facts: Facts; readonly index: number; readonly random: Random },
): AttachmentChoice | undefined {
  const fitting = attachments.filter((one) => one.in === undefined || one.in.includes(index + 1))
  const choice = fitting.length > 1 ? random.pick(fitting) : fitting[0]
  return choice && { fixture: choice.file, filename: letters.fill(choice.name, facts) }
}

function announcement(letters: Letters, source: AnnouncementSource): Begin {
  const { name, address } = source.from
  // A million messages share these.
  const fixed = Object.entries(source.headers)
  const isFixed = fixed.every(([, value]) => !value.includes('{'))
  const steps = source.next.length > 0 ? source.next : [source.first]
  const { share, alone, colour } = source.html ?? { share: 0, alone: 0, colour: '' }
  return (random, setting) => {
    const facts = beginFacts(letters, setting, source.person ? setting.person(random) : undefined)
    letters.draw(facts, random)
    const voice = random.integer(0, voices)
    const title = subjectOf(letters, source, facts, voice)
    const letterAt = (index: number): string => {
      if (index === 0) return choose(source.first, voice, 0)
      const round = Math.floor((index - 1) / steps.length)
      const step = steps[(index - 1) % steps.length] as typeof source.first
      return step[(voice + round) % step.length] as string
    }
    return {
      subject: title,
      from: { name: letters.fill(name, facts), address: letters.fill(address, facts) },
      headers: isFixed ? fixed : fixed.map(([name, value]) => [name, letters.fill(value, facts)] as const),
      compose(index, stream) {
        const look = { ...letters.language, title, colour }
        const { text, html } = announcementBody(paragraphsOf(letters.fill(letterAt(index), facts)), look)
        if (!stream.chance(share)) return { text, html: null }
        return { text: stream.chance(alone) ? null : text, html }
      },
      attachment: (index, random) => attachmentOf(letters, source, { facts, index, random }),
    }
  }
}

/** The turns of a conversation in order; a kind may omit some. */
const turnNames = ['opening', 'answer', 'reaction', 'solution', 'thanks', 'farewell'] as const

function conversation(letters: Letters, source: ConversationSource): Begin {
  const { language } = letters
  const present = turnNames.filter((name) => source[name] !== undefined)
  const turns = present.map((name) => letters.wordings(source[name] ?? []))

  const letterAt = (index: number, voice: number): string => {
    const turn = turns[index]
    if (turn) return choose(turn, voice, index)
    const round = (index - turns.length) >> 1
    const further = language.further_topics
    const topic = source.later[round] ?? (further[(round + voice) % further.length] as Topic)
    return choose(letters.wordings(index % 2 === 0 ? topic.question : topic.answer), voice, round)
  }
  return (random, setting) => {
    const person = setting.person(random)
    const facts = beginFacts(letters, setting, person)
    letters.draw(facts, random)
    const voice = random.integer(0, voices)
    facts.titles = source.titles === undefined ? '' : letters.fill(source.titles, facts)
    const write = (index: number) => {
      const paragraphs = paragraphsOf(letters.fill(letterAt(index, voice), facts))
      return index % 2 === 0
        ? fromPerson(letters, facts, paragraphs, voice, { index, isThanks: present[index] === 'thanks' })
        : fromAgent(letters, facts, paragraphs, voice)
    }
    const quote = (index: number) => {
      facts.writer = index % 2 === 0 ? facts.full_name : facts.agent_name
      // Only the day of the first message is known here.
      const { with_day, without_day } = language.quotes
      const intro = letters.fill(index === 0 ? with_day : without_day, facts)
      const { greeting, paragraphs } = write(index)
      return quoteBeginning(intro, greeting, paragraphs[0] ?? '')
    }
    return {
      subject: subjectOf(letters, source, facts, voice),
      from: { name: person.fullName, address: person.address },
      compose(index, stream) {
        const quotation = index > 0 && stream.chance(0.5) ? quote(index - 1) : undefined
        const { greeting, paragraphs, signature } = write(index)
        const letter = greeting === '' ? [...paragraphs, signature] : [greeting, ...paragraphs, signature]
        if (index === 0 && stream.chance(0.08)) letter.push(stream.pick(language.postscripts))
        return letterBody(letter, quotation, language, stream)
      },
      attachment: (index, random) => attachmentOf(letters, source, { facts, index, random }),
    }
  }
}

function paragraphsOf(letter: string): string[] {
  return letter.split(/\n{2,}/)
}

function fromPerson(
  letters: Letters,
  facts: Facts,
  [first = '', ...others]: readonly string[],
  voice: number,
  { index, isThanks }: { index: number; isThanks: boolean },
) {
  const { greetings, closings, signatures, devices, slips } = letters.language
  const greeting = choose(index === 0 ? greetings.opening : greetings.follow_up, voice, 200 + index)
  const closing = choose(isThanks ? closings.calm : closings.person, voice, 400)
  const device = index > 0 || facts.titles !== '' ? '' : choose(devices, voice, 401)
  const ofFirst = facts.titles === '' ? signatures.first : signatures.titled
  const name = index > 0 ? choose(signatures.later, voice, 402) : ofFirst
  return {
    greeting: letters.fill(greeting, facts),
    paragraphs: [withSlip(slips, first, voice, index), ...others],
    signature: `${signatureOf(letters, facts, closing, name)}${device === '' ? '' : `\n\n${device}`}`,
  }
}

function fromAgent(letters: Letters, facts: Facts, paragraphs: readonly string[], voice: number) {
  const { greetings, closings, signatures } = letters.language
  const closing = choose(closings.agent, voice, 500)
  return {
    greeting: letters.fill(choose(greetings.agent, voice, 300), facts),
    paragraphs,
    signature: signatureOf(letters, facts, closing, signatures.agent),
  }
}

/** Returns the closing words, if there are any, with the name below them. */
function signatureOf(letters: Letters, facts: Facts, closing: string, name: string): string {
  const words = letters.fill(closing, facts)
  const gap = letters.language.signatures.blank_line ? '\n\n' : '\n'
  return `${words === '' ? '' : `${words}${gap}`}${letters.fill(name, facts)}`
}

/** Puts a typing mistake into the words of some people, the same one for each voice and turn. */
function withSlip(slips: LanguageSource['slips'], words: string, voice: number, turn: number): string {
  if (slips === undefined || mixNumber(slipTurn, voice) % slips.one_in !== 0) return words
  const [right, wrong] = choose(Object.entries(slips.words), voice, slipTurn + turn)
  const at = words.indexOf(right)
  return at < 0 ? words : words.slice(0, at) + wrong + words.slice(at + right.length)
}

/** Returns the facts that every thread has; the lists of the language are on the prototype. */
function beginFacts({ language }: Letters, setting: Setting, person: Person | undefined): Facts {
  const facts: Facts = Object.create(language.lists)
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

function subjectOf(letters: Letters, { subject }: KindSource, facts: Facts, voice: number): string {
  return shortenAtWord(letters.fill(choose(subject, voice, 100), facts), maxSubjectLength)
}

/** Chooses a wording by the voice of a thread and a turn in it, so that quoting it needs no stream. */
function choose<T>(wordings: readonly T[], voice: number, turn: number): T {
  return wordings[mixNumber(turn, voice) % wordings.length] as T
}
