/** The limits of a mail; a mail that exceeds one of them is refused. */
export const mailLimits = { fields: 2_000, parts: 500, depth: 100, addresses: 2_000 } as const

/** Thrown for a mail that exceeds one of `mailLimits`. */
export class MailLimitError extends Error {
  override readonly name = 'MailLimitError'

  constructor(limit: keyof typeof mailLimits) {
    const maximum = mailLimits[limit].toLocaleString('en')
    const sentences = {
      fields: `it has more than ${maximum} header fields`,
      parts: `it has more than ${maximum} parts`,
      depth: `its parts are nested more than ${maximum} deep`,
      addresses: `it names more than ${maximum} addresses`,
    }
    super(sentences[limit])
  }
}
