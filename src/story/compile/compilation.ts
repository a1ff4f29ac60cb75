import { type Path, quoted } from '../../base/mistake.js'
import { spell } from '../../base/spelling.js'
import { grouped } from '../../base/text.js'
import { formatMailbox, formatRecipient, parseMailbox, parseMailboxList } from '../../mail/address.js'
import { readInstant } from '../../mail/header-date.js'
import type { ParsedMail } from '../../mail/parsed-mail.js'
import { BaseBuilder, type Body } from '../../service/model/base.js'
import type { AttachmentRow, HeaderField, ModelName, Rows, Unplaced } from '../../service/model/rows.js'
import { createRandom, idOf, mixNumber } from '../../service/time/random.js'
import { formatMailDate } from '../../service/time/time.js'
import { createYielder, yieldToEventLoop } from '../../service/time/wall-time.js'
import { sentFields } from '../../service/world/correspondence.js'
import { instantOf } from '../format/values.js'
import type { ScenarioFiles } from '../read/files.js'
import { noSuch, type ProblemAt } from '../read/problem.js'
import type { Letter } from './forms.js'
import type { Names } from './names.js'
import type { Agent, Place } from './parts.js'
import { type createWordings, type OwnKinds, TemplateError } from './wording.js'

/** The progress of loading a scenario. */
export interface LoadProgress {
  /** Messages loaded so far. */
  readonly messages: number
  /** Messages in total: an estimate while threads are still to be loaded, exact once all are loaded. */
  readonly of: number
}

/** Called with the progress of loading. */
export type OnProgress = (progress: LoadProgress) => void

/** What the timeline has to know of the mail that was there before it. */
export interface Correspondence {
  /** The latest outside sender in threads that have keys, by thread id. */
  readonly writers: ReadonlyMap<string, string>
  /** The latest message of each thread, by its id, for messages that quote it. */
  readonly latest: ReadonlyMap<string, Letter & { readonly instant: number }>
}

/** A file to be attached to a message. */
export type FileToAttach = Pick<AttachmentRow, 'filename' | 'content_type' | 'content_id' | 'content'>

/** The contents of the files that a message names. */
export interface Enclosed {
  /** The message in its `.eml` file. */
  readonly eml?: ParsedMail | undefined
  readonly files?: readonly FileToAttach[]
}

/** The input of a compilation. */
interface CompilationInput {
  /** The language of the scenario. */
  readonly locale: string
  readonly seed: number
  /** When the story begins according to the scenario. */
  readonly begins: number
  /** When the rows should begin; defaults to `begins`. */
  readonly start?: number | undefined
  readonly files: ScenarioFiles
  readonly names: Names
  /** The contents of the files that the scenario names, by message or mail of an entry. */
  readonly enclosed: ReadonlyMap<object, Enclosed>
  /** The scenario's own kinds of mail, by locale. */
  readonly ownKinds: OwnKinds
  readonly texts: Texts
  /** Told of input that is valid but probably not intended. */
  warn(warning: string): void
  readonly onProgress?: OnProgress | undefined
  /** That of mailboxes that were compiled before; they are not compiled again. */
  readonly kept?: Correspondence | undefined
}

/** Composes the body of a message of one mailbox, given the numbers of thread and message. */
export type ComposeBody = (thread: number, message: number) => Body

/** Few enough for a smooth progress display (about 50 ms), and many enough that pauses cost nothing. */
const messagesPerTurn = 5_000

/** Counts generated threads, reports the progress, and lets other tasks run now and then. */
function createMeter(agents: readonly Agent[], builder: BaseBuilder, onProgress: OnProgress | undefined) {
  const threads = agents.reduce((sum, { identity }) => sum + (identity.generate?.threads ?? 0), 0)
  let threadsDone = 0
  let nextTurn = messagesPerTurn
  return {
    /** Counts a generated thread; returns a promise to wait for when other tasks should run. */
    threadDone(): Promise<void> | undefined {
      threadsDone++
      const messages = builder.count('message')
      if (messages < nextTurn) return undefined
      nextTurn = messages + messagesPerTurn
      onProgress?.({ messages, of: Math.round((messages * threads) / threadsDone) })
      return yieldToEventLoop()
    },
  }
}

/** The state of a compilation: its input, and the results so far. */
export type Compilation = ReturnType<typeof createCompilation>

/** Creates the state of a compilation. */
export function createCompilation(input: CompilationInput) {
  const { seed, begins, start = begins, names } = input
  const builder = new MovedBaseBuilder(seed, start - begins)
  return {
    ...input,
    start: begins,
    builder,
    meter: createMeter(names.agents, builder, input.onProgress),
    /** Functions that compose the bodies of the generated mailboxes, in order. */
    composers: [] as ComposeBody[],
    writers: new Map(input.kept?.writers),
    latest: new Map(input.kept?.latest),
    /** Ids of messages that were marked read in their folder. */
    seen: new Set<string>(),
    id(kind: Parameters<typeof idOf>[0], name: string): string {
      return idOf(kind, seed, name)
    },
    /** Resolves `-2d` or an ISO 8601 text to an instant. */
    instant(moment: string): number {
      return instantOf(moment, begins) as number
    },
  }
}

/** The maximum number of characters that the templates of one scenario produce. */
const maxCharacters = 100_000_000
const tooMuchText = `the templates up to here add up to more than ${grouped(maxCharacters)} characters, which is the limit`

/**
 * Fills in the templates of a scenario, and draws people. Loads a language when the first text needs it. Collects
 * problems of templates and of their results, which are not known earlier.
 */
export class Texts {
  readonly #problems: ProblemAt[]
  readonly wording: ReturnType<typeof createWordings>
  /** The scenario's secrets by name, which templates have as `{{secret.NAME}}`, and in words as `{{spelled.NAME}}`. */
  readonly secrets = new Map<string, string>()
  /** Lets other tasks run; to be awaited between the parts of a scenario. */
  readonly turn = createYielder()
  #left = maxCharacters
  readonly #seed: number
  readonly #paths = new Set<string>()

  constructor(seed: number, wording: Texts['wording'], problems: ProblemAt[]) {
    this.#seed = seed
    this.wording = wording
    this.#problems = problems
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

  /** Returns the mailboxes in a text, those without a name as bare addresses. */
  mailboxes(text: string, path: Path): string[] {
    const mailboxes = parseMailboxList(text)
    if (mailboxes.length === 0) this.problem(path, noAddress(text))
    return mailboxes.map(formatRecipient)
  }

  address(text: string, path: Path): string | undefined {
    const mailbox = parseMailbox(text)
    if (!mailbox) this.problem(path, noAddress(text))
    return mailbox?.address
  }

  /** Adds problems, only once for each place, regardless of how often it is filled in. */
  problem(path: Path, ...messages: readonly ProblemAt['message'][]): void {
    const place = JSON.stringify(path)
    if (!this.#paths.has(place)) this.#problems.push(...messages.map((message) => ({ path, message })))
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

/** The fields of rows that hold instants. */
const instants = ['created_at', 'updated_at', 'last_message_at']

/**
 * Builds the base of a story that begins some milliseconds after the scenario's own start. Stores rows with
 * their instants and Date headers shifted, but returns them unshifted. Dates in the text of messages stay
 * unchanged.
 */
export class MovedBaseBuilder extends BaseBuilder {
  readonly #by: number

  constructor(seed: number, by: number) {
    super((ordinal) => mixNumber(ordinal, seed))
    this.#by = by
  }

  override add<M extends ModelName>(model: M, row: Unplaced<Rows[M]>): Rows[M] {
    if (this.#by === 0) return super.add(model, row)
    const { ordinal } = super.add(model, moved(row, this.#by))
    return { ...row, ordinal } as Rows[M]
  }
}

function moved<Row extends object>(row: Row, by: number): Row {
  const fields: Record<string, unknown> = { ...(row as object) }
  for (const name of instants) if (name in fields) fields[name] = (fields[name] as number) + by
  const headers = fields['headers'] as readonly HeaderField[] | null | undefined
  if (headers) {
    fields['headers'] = headers.map(([name, value]): HeaderField => {
      const sent = name.toLowerCase() === 'date' ? readInstant(value) : undefined
      return [name, sent === undefined ? value : formatMailDate(sent + by)]
    })
  }
  return fields as Row
}
