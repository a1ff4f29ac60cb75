import { type Path, quoted } from '../../base/mistake.js'
import { spell } from '../../base/spelling.js'
import { grouped } from '../../base/text.js'
import { formatMailbox, formatRecipient, parseMailbox, parseMailboxList } from '../../mail/address.js'
import { createRandom } from '../../service/time/random.js'
import { createYielder } from '../../service/time/wall-time.js'
import { sentFields } from '../../service/world/correspondence.js'
import { noSuch, type ProblemAt } from '../read/problem.js'
import type { Place } from './parts.js'
import { TemplateError } from './templates.js'
import type { createWordings } from './wording.js'

/** The maximum number of characters that the templates of one scenario produce. */
const maxCharacters = 100_000_000
const tooMuchText = `the templates up to here add up to more than ${grouped(maxCharacters)} characters, which is the limit`

/**
 * Fills in the templates of a scenario, and draws people. Loads a language when the first text needs it. Collects
 * problems of templates and of their results, which are not known earlier.
 */
export class Texts {
  readonly problems: ProblemAt[] = []
  readonly wording: ReturnType<typeof createWordings>
  /** The scenario's secrets by name, which templates have as `{{secret.NAME}}`, and in words as `{{spelled.NAME}}`. */
  readonly secrets = new Map<string, string>()
  /** Lets other tasks run; to be awaited between the parts of a scenario. */
  readonly turn = createYielder()
  #left = maxCharacters
  readonly #seed: number
  readonly #paths = new Set<string>()

  constructor(seed: number, wording: Texts['wording']) {
    this.#seed = seed
    this.wording = wording
  }

  /** Returns texts of the same scenario with problems and a limit of their own. */
  further(): Texts {
    const texts = new Texts(this.#seed, this.wording)
    for (const [name, secret] of this.secrets) texts.secrets.set(name, secret)
    return texts
  }

  async fill(written: string, { name, path, locale, isAnswer }: Place): Promise<string> {
    await this.turn()
    if (!written.includes('{{') || this.#left < 0) return written
    const template = this.#withSecrets(written, path)
    if (!template.includes('{{')) return template
    const wording = await this.wording(locale)
    try {
      const fill = async (given: string): Promise<string> => wording.fill(given, name)
      const text = await (isAnswer ? fillAround(sentFields, template, fill) : fill(template))
      this.#left -= text.length
      if (this.#left < 0) this.problem(path, tooMuchText)
      return text
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      this.problem(path, ...error.problems)
      return template
    }
  }

  #withSecrets(template: string, path: Path): string {
    return template.replace(
      /\{\{\s*(secret|spelled)\.([^{}]*?)\s*\}\}/g,
      (whole, form: string, name: string) => {
        const secret = this.secrets.get(name)
        if (secret === undefined) this.problem(path, () => noSuch('secret', name, this.secrets.keys()))
        if (secret !== undefined) return form === 'spelled' ? spell(secret) : secret
        return whole.replaceAll(/[{}]/g, '')
      },
    )
  }

  /** Fills in one or several templates, each from its own stream. */
  async fillAll(templates: string | readonly string[], { name, ...place }: Place): Promise<string[]> {
    const texts: string[] = []
    for (const template of [templates].flat()) {
      texts.push(await this.fill(template, { ...place, name: `${name}/${texts.length}` }))
    }
    return texts
  }

  /** Draws an outside person, the same for the same name: `Ann Lee <ann.lee@mailbox.example>`. */
  async somebody(name: string, locale: string): Promise<string> {
    const { person } = await this.wording(locale)
    const { fullName, address } = person(createRandom(this.#seed, `${name}/person`))
    return formatMailbox({ name: fullName, address })
  }

  /** Fills in a sender and formats it as in messages. */
  async sender(template: string, place: Place): Promise<string> {
    const text = await this.fill(template, place)
    const [mailbox] = parseMailboxList(text)
    if (mailbox) return formatMailbox(mailbox)
    this.problem(place.path, `${quoted(text)} is not of the form "Ann <ann@example.com>"`)
    return text
  }

  addresses(text: string, path: Path): string[] {
    return this.#mailboxesIn(text, path).map(({ address }) => address)
  }

  /** Returns the mailboxes in a text, those without a name as bare addresses. */
  mailboxes(text: string, path: Path): string[] {
    return this.#mailboxesIn(text, path).map(formatRecipient)
  }

  #mailboxesIn(text: string, path: Path) {
    const mailboxes = parseMailboxList(text)
    if (mailboxes.length === 0) this.problem(path, noAddress(text))
    return mailboxes
  }

  address(text: string, path: Path): string | undefined {
    const mailbox = parseMailbox(text)
    if (!mailbox) this.problem(path, noAddress(text))
    return mailbox?.address
  }

  /** Adds problems, only once for each place, regardless of how often it is filled in. */
  problem(path: Path, ...messages: readonly ProblemAt['message'][]): void {
    const place = JSON.stringify(path)
    if (!this.#paths.has(place)) this.problems.push(...messages.map((message) => ({ path, message })))
    this.#paths.add(place)
  }
}

function noAddress(text: string): string {
  return `expected an email address, found ${quoted(text)}`
}

/** Fills in a template, except for names that are filled in later. */
async function fillAround(
  later: RegExp,
  template: string,
  fill: (template: string) => Promise<string>,
): Promise<string> {
  const kept: string[] = []
  // A character that no template contains stands for each of them.
  const text = await fill(template.replace(later, (name) => `\u{f0000}${kept.push(name) - 1}\u{f0000}`))
  return text.replace(/\u{f0000}(\d+)\u{f0000}/gu, (_, index: string) => kept[Number(index)] ?? '')
}
