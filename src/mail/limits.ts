/** How much of a mail is read; a mail that has more is refused. */
export const mailLimits = { fields: 2_000, parts: 500, depth: 100, addresses: 2_000 } as const

/** A mail that is beyond one of `mailLimits`. */
export class MailLimitError extends Error {
  override readonly name = 'MailLimitError'

  constructor(limit: keyof typeof mailLimits) {
    const most = mailLimits[limit].toLocaleString('en')
    const sentences = {
      fields: `it has more than ${most} header fields`,
      parts: `it has more than ${most} parts`,
      depth: `its parts are nested more than ${most} deep`,
      addresses: `it names more than ${most} addresses`,
    }
    super(sentences[limit])
  }
}
