import type { ParsedMail } from './parsed-mail.js'

/** As `parseEml` of `parse-eml.ts`, which is loaded when there is the first mail to parse. */
export async function parseEml(source: string | Uint8Array): Promise<ParsedMail> {
  const parser = await import('./parse-eml.js')
  return parser.parseEml(source)
}
