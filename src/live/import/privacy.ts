import type { Faker } from '@faker-js/faker'

/** What becomes of the private parts of mail. */
export interface Privacy {
  /** Replaces a sender or a recipient: an address, or `Ann <ann@example.com>`. */
  readonly person: (written: string) => string
  readonly subject: (text: string) => string
  readonly text: (text: string) => string
  readonly html: (html: string) => string
  readonly filename: (name: string) => string
}

/** Keeps everything; a scenario takes two braces for a template, so they are written with a space between them. */
export const keptPrivate: Privacy = {
  person: plain,
  subject: plain,
  text: plain,
  html: plain,
  filename: (name) => name,
}

function plain(text: string): string {
  return text.replaceAll('{{', '{ {')
}

/** Replaces people by Faker's, the same by the same, and texts by others of about their length. */
export function invented(faker: Faker): Privacy {
  const people = new Map<string, string>()
  const person = (written: string): string => {
    const [, name = '', address = written] = /^(.*?)\s*<([^<>]*)>\s*$/s.exec(written) ?? []
    const known = address.trim().toLowerCase()
    const invention = people.get(known) ?? `${faker.person.fullName()}|${faker.internet.username()}`
    people.set(known, invention)
    const [fullName, username = ''] = invention.split('|')
    // Numbered, so that different people have different addresses; .test is nobody's domain.
    const place = [...people.keys()].indexOf(known) + 1
    const mailbox = `${username.toLowerCase().replace(/[^a-z.]/g, '')}.${place}@mail.test`
    return address.includes('@') ? (name === '' ? mailbox : `${fullName} <${mailbox}>`) : String(fullName)
  }
  const text = (original: string): string => {
    const sentences: string[] = []
    for (
      let length = 0;
      length < Math.min(original.trim().length, longestText);
      length += sentences.at(-1)?.length ?? 1
    ) {
      sentences.push(faker.lorem.sentence())
    }
    return sentences.join(' ')
  }
  return {
    person,
    subject: (original) =>
      `${/^((re|fwd?|aw|wg): *)*/i.exec(original)?.[0] ?? ''}${faker.lorem.sentence(4).slice(0, -1)}`,
    text,
    html: (original) => `<p>${text(original.replace(/<[^>]*>/g, ''))}</p>`,
    filename: (name) => `${faker.lorem.word()}${/\.[a-z\d]{1,5}$/i.exec(name)?.[0] ?? ''}`,
  }
}

/** The longest text that is invented, in characters. */
const longestText = 20_000
