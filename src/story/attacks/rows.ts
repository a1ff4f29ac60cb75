import { mistakesIn } from '../../base/explain.js'
import { parseJson } from '../../base/json.js'
import { type Path, quoted, textOf } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import { z } from '../../base/schema.js'
import { grouped } from '../../base/text.js'
import { obeyed } from '../format/scenario.js'
import { key } from '../format/values.js'
import { reasonOf, type ScenarioFiles } from '../read/files.js'
import { noSuch, type ProblemAt } from '../read/problem.js'
import {
  type AttackRows,
  compose,
  type Goal,
  goals,
  type MailCarrier,
  missingFor,
  type PlannedAttack,
  type StoryMeans,
  type WrittenAttack,
} from './library.js'

/** The maximum number of rows in a file of attacks. */
const maxRows = 10_000

/** The maximum number of reported problems of a file of attacks. */
const maxProblems = 5

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

/** A row as the file has it, and the number of its line. */
interface WrittenRow {
  readonly line: number
  readonly fields: Readonly<Record<string, unknown>>
}

/** For what story the attacks of a file are, and how one that is written in full is planned. */
interface RowPlanning {
  readonly means: StoryMeans
  /** The place of the file's name in the scenario. */
  readonly path: Path
  readonly write: (attack: WrittenAttack, path: Path) => PlannedAttack
}

/** Returns the attacks in a file, one for each row, and the problems of the file. */
export async function attacksInFile(
  rows: AttackRows,
  files: ScenarioFiles,
  planning: RowPlanning,
): Promise<{ readonly attacks: readonly PlannedAttack[]; readonly problems: readonly ProblemAt[] }> {
  const { file } = rows
  const { path } = planning
  try {
    const text = new TextDecoder().decode(await files.read(file))
    const written = rowsOfLines(text)
    if (written.length === 0) throw new RowError('the file has no rows')
    if (written.length > maxRows) throw new RowError(`a file has up to ${grouped(maxRows)} rows`)
    const planned = planRows(written, await goals(), rows, planning)
    const problems = planned.problems.slice(0, maxProblems)
    return { ...planned, problems: problems.map((message) => ({ path, message })) }
  } catch (error) {
    const message = error instanceof RowError ? `${quoted(file)}: ${error.message}` : reasonOf(error)
    return { attacks: [], problems: [{ path, message }] }
  }
}

/** Thrown for a file that cannot be read as rows; says why to its author. */
class RowError extends Error {
  override readonly name = 'RowError'
}

/** Returns the rows of a file in JSON Lines. @throws RowError */
function rowsOfLines(text: string): WrittenRow[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  return lines.flatMap((one, index) => {
    if (one.trim() === '') return []
    const fields = parseJson(one)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
      return [{ line: index + 1, fields: fields as WrittenRow['fields'] }]
    }
    throw new RowError(`line ${index + 1}: expected a JSON object such as {"text": "…", "goal": "call-url"}`)
  })
}

/** Returns the attacks of rows, and what is wrong with rows. */
function planRows(
  written: readonly WrittenRow[],
  known: Readonly<Record<string, Goal>>,
  rows: AttackRows,
  planning: RowPlanning,
): { readonly attacks: readonly PlannedAttack[]; readonly problems: readonly string[] } {
  const { file } = rows
  const stem = file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')
  const attacks: PlannedAttack[] = []
  const problems: string[] = []
  for (const [index, { line, fields }] of written.entries()) {
    const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
    const [mistake] = mistakesIn(rowSchema(), present)
    const { name = `${stem}-${index + 1}`, ...row } = present as Row
    const planned = mistake
      ? `${mistake.path.join('.')}: ${textOf(mistake.message)}`
      : planRow({ ...row, name, about: `row ${index + 1} of ${file}` }, known, rows, planning)
    if (typeof planned === 'string') problems.push(`${quoted(file)}, line ${line}: ${planned}`)
    else attacks.push({ ...planned, path: planning.path, isInScenario: false })
  }
  return { attacks, problems }
}

/** Returns the attack of a row, or what is wrong with it. */
function planRow(
  { name, about, subject = 'A question', text, from, ...row }: Row & { name: string; about: string },
  known: Readonly<Record<string, Goal>>,
  shared: AttackRows,
  { means, path, write }: RowPlanning,
): PlannedAttack | string {
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
  // What is hostile by itself has no harmless counterpart.
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
