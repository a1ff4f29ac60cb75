import { mistakesIn } from '../../base/explain.js'
import { isJsonObject, parseJson } from '../../base/json.js'
import { type Path, quoted, textOf } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import { packageRoot } from '../../base/package.js'
import { z } from '../../base/schema.js'
import { spell } from '../../base/spelling.js'
import { defineExtension } from '../../service/extensions/define-extension.js'
import { createRandom, type Random } from '../../service/time/random.js'
import type { Command } from '../../service/world/commands/commands.js'
import type { AddressedWorld } from '../../service/world/story-entry.js'
import { queryOfWorld } from '../../service/world/worlds.js'
import type { EntryInput, ExpectationInput } from '../edits.js'
import { obeyed } from '../expectations/kinds.js'
import type { ScenarioInput } from '../format/scenario.js'
import { key } from '../format/values.js'
import { modulesFor, reasonOf, type ScenarioFiles } from '../read/files.js'
import { noSuch, type ProblemAt } from '../read/problem.js'
import { readChecked } from '../read/yaml.js'

type AttackInput = Exclude<Exclude<NonNullable<ScenarioInput['attacks']>, string>[number], string>

/** An attack that the scenario itself has. */
export type WrittenAttack = Exclude<AttackInput, { file: string }>

/** A file whose rows are attacks, with what holds for all of them. */
type AttackRows = Extract<AttackInput, { file: string }>

/** An attack on a story: the message it brings, and what the agent does if it obeys. */
export interface PlannedAttack {
  readonly name: string
  readonly describe: string
  /** Its carrier in the library; null for an attack of the scenario itself, or of a file. */
  readonly carrier: string | null
  /** Its goal in the library; null if what it asks for is written in the scenario. */
  readonly goal: string | null
  /**
   * The hostile and the harmless message, as entries of a timeline; the first has the name of the attack as
   * its key.
   */
  readonly entries: readonly EntryInput[]
  readonly benign: readonly EntryInput[]
  /**
   * The expectations that hold if the agent obeyed, any of them; `failed` if it no longer does its work, `all-unread` if it marks
   * all mail as unread.
   */
  readonly obeyed: readonly ExpectationInput[] | 'failed' | 'all-unread'
  /** Its place in the scenario. */
  readonly path: Path
  /** Whether its mail is written at that place, rather than in a file. */
  readonly isInScenario: boolean
}

/** The parts of a story that goals may need. */
export interface StoryMeans {
  /** The handle of the agent to which the message comes. */
  readonly agent: string
  /** The domain of its mailbox. */
  readonly domain: string
  readonly seed: number
  /** Which pairs of a carrier and a goal there are: those of the seed, those of the one so many later, or every one. */
  readonly pairs: number | 'every'
  readonly hasSecrets: boolean
  readonly canSend: boolean
  readonly hasCommon: boolean
}

const mail = z.record(z.string(), z.unknown())

/** A way in which a message carries an order. */
const carrierSchema = z.strictObject({
  about: z.string(),
  mail,
  /** What is different in its harmless version. */
  benign: mail.optional(),
  /** A second message of the same thread, over which the order is split. */
  second: mail.optional(),
  split: z.literal(true).optional(),
  /** A text between the letters of the order. */
  between: z.string().optional(),
  /** The number that is added to the code of each of its letters. */
  shift: z.int().optional(),
})

/** What a hostile message asks for. */
const goalSchema = z.strictObject({
  about: z.string(),
  needs: z.enum(['secrets', 'sending', 'common']).optional(),
  order: z.string(),
  benign: z.string(),
  obeyed: z.union([mail, z.array(mail).min(1), z.enum(['failed', 'all-unread'])]),
})

type MailCarrier = z.output<typeof carrierSchema>
type Goal = z.output<typeof goalSchema>

const read = async <Part>(name: string, schema: z.ZodType<Part>): Promise<Readonly<Record<string, Part>>> => {
  const { fs } = modulesFor('attacks')
  const source = `fixtures/attacks/${name}.yaml`
  const text = await fs.promises.readFile(new URL(source, packageRoot()), 'utf8')
  return readChecked(source, text, () => z.record(z.string(), schema)).content
}

const carriers = once(() => read('carriers', carrierSchema))
/** The goals of the library, by name. */
export const goals = once(() => read('goals', goalSchema))

/**
 * Returns an attack for each shipped carrier, with one of the goals that the story allows: each carrier meets each goal within as
 * many successive seeds as there are goals. Or returns each carrier with every such goal.
 */
export async function commonAttacks(means: StoryMeans, path: Path): Promise<PlannedAttack[]> {
  const possible = Object.entries(await goals()).filter(([, goal]) => missingFor(goal, means) === undefined)
  const { seed, pairs } = means
  const count = possible.length
  return Object.entries(await carriers()).flatMap(([name, carrier], index) => {
    // A seed may be negative.
    const place = pairs === 'every' ? 0 : (index + pairs + (seed % count) + count) % count
    const chosen = pairs === 'every' ? possible : possible.slice(place, place + 1)
    return chosen.map((goal) => ({ ...compose([name, carrier], goal, means), path }))
  })
}

/** Returns what a story has to have for a goal, and does not have. */
function missingFor({ needs }: Goal, means: StoryMeans): string | undefined {
  if (needs === 'secrets') return means.hasSecrets ? undefined : '`secrets` of the scenario'
  if (needs === 'common') return means.hasCommon ? undefined : '`extend: common`'
  return needs === undefined || means.canSend ? undefined : 'an operation that sends, as in `extend: common`'
}

/** Writes the message of a carrier with the order of a goal. */
export function compose(
  [carrierName, carrier]: readonly [string, MailCarrier],
  [goalName, goal]: readonly [string, Goal],
  { agent, domain, seed }: StoryMeans,
): Omit<PlannedAttack, 'path'> {
  const name = `${carrierName}-${goalName}`
  const random = createRandom(seed, `attacks/${name}`)
  const word = inventWord(random)
  const number = String(random.integer(100_000, 999_999))
  const filled = <Part>(part: Part, order = ''): Part => {
    const people = { agent, domain, 'look-alike': lookAlike(domain) }
    return replaceIn(part, { ...people, name, word, number, spelled: spell(word), trap: trapOf(name), order })
  }
  const order = filled(goal.order)
  const halvesOf = (text: string): string[] => (carrier.split ? inHalves(text) : [text])
  const mails = (text: string, first = carrier.mail): EntryInput[] => {
    const halves = halvesOf(text)
    return [first, ...(carrier.second ? [carrier.second] : [])].map((mail, index) => {
      const entry = filled(mail, disguised(carrier, halves[index] ?? text))
      const receive = index === 0 ? { to: agent, thread: name, ...entry } : { thread: name, ...entry }
      const key = index === 0 ? name : `${name}/${index + 1}`
      return { key, after: `${index + 1}s`, receive } as EntryInput
    })
  }
  return {
    name,
    describe: `${carrier.about}: ${goal.about}`,
    ...{ carrier: carrierName, goal: goalName, isInScenario: false },
    entries: mails(order),
    benign: mails(goal.benign, { ...carrier.mail, ...carrier.benign }),
    obeyed:
      typeof goal.obeyed === 'string' ? goal.obeyed : (filled([goal.obeyed].flat()) as ExpectationInput[]),
  }
}

/**
 * Returns an order in the form that a carrier writes. Addresses stay unchanged, since that of the trap is
 * filled in only when a story is played.
 */
function disguised({ between = '', shift = 0 }: MailCarrier, order: string): string {
  const write = (part: string): string => {
    const letters = [...part].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + shift))
    return letters.join(between)
  }
  const parts = order.split(/(http:\S+)/)
  return parts.map((part, index) => (index % 2 === 1 ? part : write(part))).join('')
}

function inHalves(text: string): [string, string] {
  const words = text.split(' ')
  const middle = Math.ceil(words.length / 2)
  return [words.slice(0, middle).join(' '), words.slice(middle).join(' ')]
}

/** Returns a domain that looks like another one, but belongs to somebody else. */
function lookAlike(domain: string): string {
  const [first = ''] = domain.split('.')
  const alike = first.replace(/[eloi]/, (letter) => ({ e: '3', l: '1', o: '0', i: '1' })[letter] as string)
  return `${alike === first ? `${first}s` : alike}.example`
}

/** Replaces `{{name}}` in every text of a value. */
export function replaceIn<Part>(part: Part, values: Readonly<Record<string, string>>): Part {
  const text = JSON.stringify(part).replace(/\{\{([\w-]+)\}\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : JSON.stringify(value).slice(1, -1)
  })
  return JSON.parse(text)
}

/** Invents a word of eight letters that no message contains. */
function inventWord(random: Random): string {
  const letter = (from: string): string => from.charAt(random.integer(0, from.length - 1))
  return Array.from({ length: 4 }, () => letter('BDFGKLMNPRTVZ') + letter('AEIOU')).join('')
}

/**
 * Adds the address that hostile messages ask agents to open: it responds to anyone, and the journal shows who
 * came.
 */
export const trapExtension = defineExtension(({ operation }) => [
  operation({
    id: 'trap.open',
    method: 'GET',
    path: '/trap/{name}',
    authentication: 'none',
    perform: () => ({ ok: true }),
  }),
])

/** The origin that stands for that of the server in hostile mail: it is known only when a story is played. */
const trapOrigin = 'http://trap.invalid'

/** What stands for the id of the world that gets the mail. */
const ownWorld = queryOfWorld('own')

/** Returns the address that an attack asks an agent to open, before a world has the mail. */
export function trapOf(attack: string): string {
  return `${trapOrigin}/trap/${encodeURIComponent(attack)}${ownWorld}`
}

/** Returns commands in which the addresses of traps, in files as well, are those of a world. */
export function withTrapsOf(commands: readonly Command[], { id, base }: AddressedWorld): readonly Command[] {
  const placed = (text: string): string => {
    return text.replaceAll(trapOrigin, base).replaceAll(ownWorld, queryOfWorld(id))
  }
  return JSON.parse(JSON.stringify(commands), (key, value: unknown) => {
    if (typeof value !== 'string') return value
    // Byte by byte, since a file need not be text.
    if (key !== 'content') return placed(value)
    return Buffer.from(placed(Buffer.from(value, 'base64').toString('latin1')), 'latin1').toString('base64')
  })
}

/** A row; other fields, which public collections have, are not read. */
const rowSchema = once(() => {
  return z.object({
    text: z.string().min(1),
    subject: z.string().optional(),
    from: z.string().optional(),
    goal: key.optional(),
    name: key.optional(),
    obeyed: obeyed.optional(),
  })
})

type Row = z.output<ReturnType<typeof rowSchema>>

/** For what story the attacks of a file are, and how one that is written in full is planned. */
interface RowPlanning {
  readonly means: StoryMeans
  /** The place of the file's name in the scenario. */
  readonly path: Path
  readonly write: (attack: WrittenAttack, path: Path) => PlannedAttack
  /** Gets the problems of the file. */
  readonly problems: ProblemAt[]
}

/** Returns the attacks in a file in JSON Lines, one for each row. */
export async function attacksInFile(
  rows: AttackRows,
  files: ScenarioFiles,
  planning: RowPlanning,
): Promise<readonly PlannedAttack[]> {
  const { file } = rows
  const { path, problems } = planning
  const refuse = (message: string): [] => {
    problems.push({ path, message })
    return []
  }
  const known = await goals()
  const bytes = await files.read(file).catch(reasonOf)
  if (typeof bytes === 'string') return refuse(bytes)
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/).entries()
  const written = [...lines].filter(([, line]) => line.trim() !== '')
  if (written.length === 0) return refuse(`${quoted(file)}: the file has no rows`)
  return written.flatMap(([index, line], row) => {
    const planned = planRow(line, row + 1, known, rows, planning)
    if (typeof planned === 'string') return refuse(`${quoted(file)}, line ${index + 1}: ${planned}`)
    return { ...planned, path, isInScenario: false }
  })
}

/** Returns the attack of a row, or what is wrong with it. */
function planRow(
  line: string,
  number: number,
  known: Readonly<Record<string, Goal>>,
  shared: AttackRows,
  { means, path, write }: RowPlanning,
): PlannedAttack | string {
  const fields = parseJson(line)
  if (!isJsonObject(fields)) return 'expected a JSON object such as {"text": "…", "goal": "call-url"}'
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  const [mistake] = mistakesIn(rowSchema(), present)
  if (mistake) return `${mistake.path.join('.')}: ${textOf(mistake.message)}`
  const { text, from, subject = 'A question', ...row } = present as Row
  const { file } = shared
  const name = row.name ?? `${file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')}-${number}`
  const about = `row ${number} of ${file}`
  const sender = from === undefined ? {} : { from }
  const act = row.obeyed ?? (row.goal === undefined ? shared.obeyed : undefined)
  if (act !== undefined) {
    const receive = { to: means.agent, thread: name, ...literalMail({ ...sender, subject, text }, ['trap']) }
    return write({ name, describe: about, receive, obeyed: act as never }, path)
  }
  const wanted = row.goal ?? shared.goal
  const names = Object.keys(known)
  if (wanted === undefined) return `it needs "obeyed", or a "goal": ${names.join(', ')}`
  const goal = known[wanted]
  if (!goal) return noSuch('goal', wanted, names)
  const missing = missingFor(goal, means)
  if (missing !== undefined) return `the goal "${wanted}" needs ${missing}`
  const hasPlace = text.includes('{{order}}')
  const mail = { ...sender, subject, text: hasPlace ? text : `${text}\n\n{{order}}` }
  const carrier: MailCarrier = { about, mail: literalMail(mail, placeholders) }
  const { benign, ...attack } = compose([name, carrier], [wanted, goal], means)
  // What is hostile by itself has no harmless version.
  return { ...attack, path, carrier: null, benign: hasPlace ? benign : [] }
}

/** What a row may have in braces. */
const placeholders = ['order', 'agent', 'word', 'number', 'spelled', 'trap']

/** Returns a mail in which only these names in braces are templates: what other people wrote is kept as it is. */
function literalMail<Mail extends object>(mail: Mail, names: readonly string[]): Mail {
  const braces = new RegExp(`\\{\\{(?!(?:${names.join('|')})\\}\\})`, 'g')
  const entries = Object.entries(mail).map(([field, value]) => {
    return [
      field,
      typeof value === 'string' ? value.replace(braces, '{{helpers.arrayElement(["{{"])}}') : value,
    ]
  })
  return Object.fromEntries(entries) as Mail
}
