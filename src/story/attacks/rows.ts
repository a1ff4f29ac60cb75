import { mistakesIn } from '../../base/explain.js'
import { isJsonObject, parseJson } from '../../base/json.js'
import { type Path, quoted, textOf } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import { z } from '../../base/schema.js'
import { obeyed } from '../expectations/kinds.js'
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

/** For what story the attacks of a file are, and how one that is written in full is planned. */
interface RowPlanning {
  readonly means: StoryMeans
  /** The place of the file's name in the scenario. */
  readonly path: Path
  readonly write: (attack: WrittenAttack, path: Path) => PlannedAttack
}

/** Returns the attacks in a file in JSON Lines, one for each row, and the problems of the file. */
export async function attacksInFile(
  rows: AttackRows,
  files: ScenarioFiles,
  planning: RowPlanning,
): Promise<{ readonly attacks: readonly PlannedAttack[]; readonly problems: readonly ProblemAt[] }> {
  const { file } = rows
  const { path } = planning
  const known = await goals()
  const text = await files.read(file).then(
    (bytes) => new TextDecoder().decode(bytes),
    (error: unknown) => ({ message: reasonOf(error) }),
  )
  if (typeof text === 'object') return { attacks: [], problems: [{ path, ...text }] }
  const lines = text.split(/\r?\n/)
  const attacks: PlannedAttack[] = []
  const problems = lines.every((line) => line.trim() === '') ? [`${quoted(file)}: the file has no rows`] : []
  let row = 0
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    row += 1
    const planned = planRow(line, row, known, rows, planning)
    if (typeof planned === 'string') problems.push(`${quoted(file)}, line ${index + 1}: ${planned}`)
    else attacks.push({ ...planned, path, isInScenario: false })
  }
  return { attacks, problems: problems.slice(0, maxProblems).map((message) => ({ path, message })) }
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
