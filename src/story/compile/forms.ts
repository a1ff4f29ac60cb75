/**
 * A form in which mail programs and servers write a message; what the person says stays the same. Its parts are texts with
 * names in double braces: of the message itself, `text`, `html`, `subject`, `name`, `address` and `date`; `agent.local` and
 * `agent.domain`; and of the message before it, `earlier.from`, `earlier.to`, `earlier.date`, `earlier.subject`,
 * `earlier.text`, `earlier.quoted` and `earlier.html`. A part that a form does not have stays as it is.
 */
export interface LetterForm {
  /** What it looks like, for people. */
  readonly describe: string
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
  /**
   * Whether `fuzz` tries it: `always`; if `--vary` names `forms`, since a client that does all of its work may not handle it;
   * or if it also reads the bytes of messages (`raw`), which alone are different. Never where it changes who says something,
   * so that a client may do something else.
   */
  readonly fuzz?: 'always' | 'named' | 'raw'
}

/** Every form by its name. */
export const forms = {
  'html-only': {
    describe: 'as HTML only',
    fuzz: 'always',
    text: null,
    html: '<html><body><div>{{html}}</div></body></html>',
  },
  gmail: {
    describe: 'as Gmail writes a reply, above the quotation',
    fuzz: 'named',
    text: '{{text}}\n\nOn {{earlier.date}} {{earlier.from}} wrote:\n\n{{earlier.quoted}}\n',
    html:
      '<div dir="ltr">{{html}}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">' +
      'On {{earlier.date}} {{earlier.from}} wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;' +
      'border-left:1px solid rgb(204,204,204);padding-left:1ex">{{earlier.html}}</blockquote></div>',
    quotes: true,
  },
  outlook: {
    describe:
      'as Outlook writes a reply, above a block of header fields and the other message without any marks',
    fuzz: 'named',
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
    describe: 'as Apple Mail writes a reply, above the quotation',
    fuzz: 'named',
    text: '{{text}}\n\n> On {{earlier.date}}, {{earlier.from}} wrote:\n> \n{{earlier.quoted}}\n',
    html:
      '<html><body style="overflow-wrap: break-word;">{{html}}<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote ' +
      'type="cite"><div>On {{earlier.date}}, {{earlier.from}} wrote:</div><br><div>{{earlier.html}}</div></blockquote></div>' +
      '</body></html>',
    quotes: true,
  },
  'below-the-quotation': {
    describe: 'below the quotation',
    text: 'On {{earlier.date}}, {{earlier.from}} wrote:\n{{earlier.quoted}}\n\n{{text}}',
    quotes: true,
  },
  forwarded: {
    describe: 'forwarded by its author, within the text',
    text:
      '---------- Forwarded message ---------\nFrom: {{name}} <{{address}}>\nDate: {{date}}\nSubject: {{subject}}\n' +
      'To: {{agent.local}}@{{agent.domain}}\n\n{{text}}\n',
    html:
      '<div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: <b>{{name}}</b> &lt;{{address}}&gt;' +
      '<br>Date: {{date}}<br>Subject: {{subject}}<br></div><div>{{html}}</div>',
  },
  'odd-name': {
    describe: 'from a name with a comma, quotes and other letters',
    fuzz: 'named',
    name: '{{name}}, "Żółć" 李 (Büro)',
  },
  'plus-address': {
    describe: 'to a plus address of the agent',
    fuzz: 'named',
    to: ['{{agent.local}}+inbox@{{agent.domain}}'],
  },
  list: {
    describe: 'through a mailing list, which adds its fields and a footer',
    headers: { 'List-Id': 'Talk <talk.lists.example>', Precedence: 'list' },
    text: '{{text}}\n_______________________________________________\nTalk mailing list',
  },
  'quoted-printable': {
    describe: 'in quoted-printable',
    fuzz: 'raw',
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
