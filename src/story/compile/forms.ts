import { escapeHtml } from '../../base/text.js'
import { formatMailbox, parseMailbox } from '../../mail/address.js'
import { textOfHtml } from '../../mail/snippet.js'
import type { Random } from '../../service/time/random.js'
import { formatMailDate } from '../../service/time/time.js'

/**
 * A form in which mail programs and servers write a message; what the person says stays the same. Its parts are texts with
 * names in double braces: of the message itself, `text`, `html`, `subject`, `name`, `address` and `date`; `agent.local` and
 * `agent.domain`; and of the message before it, `earlier.from`, `earlier.to`, `earlier.date`, `earlier.subject`,
 * `earlier.text`, `earlier.quoted` and `earlier.html`. A part that a form does not have stays as it is.
 */
interface LetterForm {
  /** Null for none. */
  readonly text?: string | null
  readonly html?: string | null
  /** The display name of the sender. */
  readonly name?: string
  /** The recipients that the header names. */
  readonly to?: readonly string[]
  /** Whether it quotes the message before it; it is not used for one that begins a conversation. */
  readonly quotes?: true
  /** Header fields that it adds. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Every form by its name. */
export const forms = {
  'html-only': {
    text: null,
    html: '<html><body><div>{{html}}</div></body></html>',
  },
  gmail: {
    text: '{{text}}\n\nOn {{earlier.date}} {{earlier.from}} wrote:\n\n{{earlier.quoted}}\n',
    html:
      '<div dir="ltr">{{html}}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">' +
      'On {{earlier.date}} {{earlier.from}} wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;' +
      'border-left:1px solid rgb(204,204,204);padding-left:1ex">{{earlier.html}}</blockquote></div>',
    quotes: true,
  },
  outlook: {
    text:
      '{{text}}\n\n________________________________\nFrom: {{earlier.from}}\nSent: {{earlier.date}}\n' +
      'To: {{earlier.to}}\nSubject: {{earlier.subject}}\n\n{{earlier.text}}\n',
    html:
      '<div class="elementToProof">{{html}}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" ' +
      'tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> {{earlier.from}}<br><b>Sent:</b> {{earlier.date}}<br>' +
      '<b>To:</b> {{earlier.to}}<br><b>Subject:</b> {{earlier.subject}}</div><div>{{earlier.html}}</div>',
    quotes: true,
  },
  'apple-mail': {
    text: '{{text}}\n\n> On {{earlier.date}}, {{earlier.from}} wrote:\n> \n{{earlier.quoted}}\n',
    html:
      '<html><body style="overflow-wrap: break-word;">{{html}}<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote ' +
      'type="cite"><div>On {{earlier.date}}, {{earlier.from}} wrote:</div><br><div>{{earlier.html}}</div></blockquote></div>' +
      '</body></html>',
    quotes: true,
  },
  'below-the-quotation': {
    text: 'On {{earlier.date}}, {{earlier.from}} wrote:\n{{earlier.quoted}}\n\n{{text}}',
    quotes: true,
  },
  forwarded: {
    text:
      '---------- Forwarded message ---------\nFrom: {{name}} <{{address}}>\nDate: {{date}}\nSubject: {{subject}}\n' +
      'To: {{agent.local}}@{{agent.domain}}\n\n{{text}}\n',
    html:
      '<div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: <b>{{name}}</b> &lt;{{address}}&gt;' +
      '<br>Date: {{date}}<br>Subject: {{subject}}<br></div><div>{{html}}</div>',
  },
  'odd-name': {
    name: '{{name}}, "Żółć" 李 (Büro)',
  },
  'plus-address': {
    to: ['{{agent.local}}+inbox@{{agent.domain}}'],
  },
  list: {
    headers: { 'List-Id': 'Talk <talk.lists.example>', Precedence: 'list' },
    text: '{{text}}\n_______________________________________________\nTalk mailing list',
  },
  'quoted-printable': {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Transfer-Encoding': 'quoted-printable',
    },
  },
} as const satisfies Readonly<Record<string, LetterForm>>

/** The name of a form. */
export type LetterFormName = keyof typeof forms

export const letterFormNames = Object.keys(forms) as [LetterFormName, ...LetterFormName[]]

/** Returns whether a form can be given to a reply, whose sender and recipients only the message that it replies to decides. */
export function fitsReply(name: LetterFormName): boolean {
  const form: LetterForm = forms[name]
  return !/\{\{(name|address|agent\.\w+)\}\}/.test(JSON.stringify(form))
}

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
interface EarlierLetter {
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
interface FormFacts {
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
  const fill = (template: string): string => filled(template, (name) => values[name] ?? '')
  const fillHtml = (template: string): string => {
    const marked: Readonly<Record<string, string>> = {
      html: html ?? inHtml(plain),
      'earlier.html': facts.earlier?.html ?? '',
    }
    return filled(template, (name) => marked[name] ?? escapeHtml(values[name] ?? ''))
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

function filled(template: string, part: (name: string) => string): string {
  return template.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => part(name))
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

/** The forms of which messages have one each, or forms with the shares of the messages that have them. */
type WantedForms = readonly LetterFormName[] | Partial<Readonly<Record<LetterFormName, number>>>

/** Creates the function that draws the form of a message from outside; undefined if none has a form. */
export function createFormChoice({ forms: wanted }: { readonly forms?: WantedForms | undefined }) {
  if (wanted === undefined) return undefined
  const shares = Array.isArray(wanted)
    ? wanted.map((name) => [name, 1 / wanted.length] as const)
    : (Object.entries(wanted) as [LetterFormName, number][])
  const choices: { name: LetterFormName | undefined; weight: number }[] = shares.map(([name, weight]) => {
    return { name, weight }
  })
  const sum = choices.reduce((sum, { weight }) => sum + weight, 0)
  choices.push({ name: undefined, weight: Math.max(0, 1 - sum) })
  return (random: Random) => random.weighted(choices).name
}
