/** What a mail of fixtures/mail/awkward is read as; what is left out is as in `plainLetter`. */
export interface AwkwardMail {
  /** Why the reading is worse than a reader would wish. */
  readonly poor?: string
  /** As the interface writes it. */
  readonly from?: string
  /** How many. */
  readonly to?: number
  /** How many. */
  readonly cc?: number
  readonly subject: string | RegExp
  readonly text?: string | RegExp | null
  readonly html?: string | RegExp | null
  readonly date?: string | null
  readonly messageId?: string | null
  readonly inReplyTo?: string | null
  readonly references?: readonly string[]
  /** Some of the headers. */
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>
  readonly attachments?: readonly AwkwardFile[]
}

/** An attached file: its disposition is `attachment` and its Content-ID null unless they are given. */
export type AwkwardFile = readonly [
  filename: string,
  contentType: string,
  bytes: number,
  disposition?: 'attachment' | 'inline' | null,
  contentId?: string,
]

/** By the name of the file, without `.eml`. */
export type AwkwardTable = Readonly<Record<string, AwkwardMail>>

/** What most of the mails have in common, all but the subject. */
export function plainLetter(name: string): Required<Omit<AwkwardMail, 'poor' | 'subject'>> {
  return {
    from: 'Ann Lee <ann@shop.example>',
    to: 1,
    cc: 0,
    text: 'Hello',
    html: null,
    date: '2026-01-05T09:00:00.000Z',
    messageId: `<${name}@shop.example>`,
    inReplyTo: null,
    references: [],
    headers: [],
    attachments: [],
  }
}
