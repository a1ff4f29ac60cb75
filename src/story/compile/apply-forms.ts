import { escapeHtml } from '../../base/text.js'
import { formatMailbox, parseMailbox } from '../../mail/address.js'
import { textOfHtml } from '../../mail/snippet.js'
import { formatMailDate } from '../../service/time/time.js'
import { forms, type LetterForm, type LetterFormName } from './forms.js'

/** The parts of a message that a form may change. */
export interface Letter {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  /** Header fields in addition to those of its other parts. */
  readonly headers?: readonly (readonly [string, string])[]
}

/** The message before one, which the mail program of its author quotes. */
export interface EarlierLetter {
  readonly from: string
  readonly to: string
  readonly date: string
  readonly subject: string
  readonly text: string
  /** The text, with ">" before each line. */
  readonly quoted: string
  /** The text as HTML. */
  readonly html: string
}

/** What forms depend on besides a message. */
export interface FormFacts {
  /** The address of the agent that receives it. */
  readonly agent: string
  /** When it was written. */
  readonly date: string
  readonly earlier: EarlierLetter | undefined
}

/** Returns a message in some forms, one after another. */
export function inForms(names: readonly LetterFormName[], letter: Letter, facts: FormFacts): Letter {
  return names.reduce((formed, name) => inForm(forms[name], formed, facts), letter)
}

function inForm(form: LetterForm, letter: Letter, facts: FormFacts): Letter {
  if (form.quotes && !facts.earlier) return letter
  const { text, html } = letter
  const plain = text ?? (html === null ? '' : textOfHtml(html))
  const values = valuesFor(letter, plain, facts)
  const fill = (template: string): string => filled(template, values)
  const fillHtml = (template: string): string => {
    const marked = { html: html ?? inHtml(plain), 'earlier.html': facts.earlier?.html ?? '' }
    return filled(template, { ...mapValues(values, escapeHtml), ...marked })
  }
  return {
    ...letter,
    ...(form.name && { from: formatMailbox({ name: fill(form.name), address: values['address'] ?? '' }) }),
    ...(form.to && { to: form.to.map(fill) }),
    ...(form.text !== undefined && { text: form.text === null ? null : fill(form.text) }),
    ...(form.html !== undefined && { html: form.html === null ? null : fillHtml(form.html) }),
    ...(form.headers && { headers: [...(letter.headers ?? []), ...Object.entries(form.headers)] }),
  }
}

function valuesFor(
  { from, subject }: Letter,
  text: string,
  { agent, date, earlier }: FormFacts,
): Record<string, string> {
  const { name = '', address = from } = parseMailbox(from) ?? {}
  const at = agent.lastIndexOf('@')
  const [local, domain] = [agent.slice(0, at), agent.slice(at + 1)]
  const before = Object.entries(earlier ?? {}).map(([key, value]) => [`earlier.${key}`, value])
  return {
    ...{ text, subject, date, address, name: name || address },
    ...{ 'agent.local': local, 'agent.domain': domain },
    ...Object.fromEntries(before),
  }
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => values[name] ?? '')
}

function mapValues(
  values: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

/** Returns a text as HTML. */
function inHtml(text: string): string {
  return escapeHtml(text).replace(/\r?\n/g, '<br>')
}

/** Returns an earlier message as it is quoted. */
export function earlierLetter(
  letter: Pick<Letter, 'from' | 'to' | 'subject' | 'text' | 'html'>,
  instant: number,
): EarlierLetter {
  const { from, subject, html } = letter
  const to = letter.to.join(', ')
  const text = letter.text ?? (html === null ? '' : textOfHtml(html))
  const quoted = text
    .trimEnd()
    .replace(/^(?=>)/gm, '>')
    .replace(/^(?!>)/gm, '> ')
  return { from, to, subject, text, quoted, html: html ?? inHtml(text), date: formatMailDate(instant) }
}

/** The message that an entry waits for, whose parts are filled in when it is known. */
export const sentLetter: EarlierLetter = {
  from: '{{sent.from}}',
  to: '{{sent.to}}',
  date: '{{sent.date}}',
  subject: '{{sent.subject}}',
  text: '{{sent.text}}',
  quoted: '{{sent.quoted}}',
  html: '{{sent.text}}',
}
