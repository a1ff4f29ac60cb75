import type { Command } from 'commander'
import { invocation, nearestName } from '../../base/index.js'
import { type Extensions, evidenceNote, type Gap, type GapId, gapIds, gapOf } from '../../contract/index.js'
import { chosenReadings } from '../../doors/simulator/index.js'
import { alignCells, type Style } from '../../runs/reports/index.js'
import {
  type ChosenReadings,
  chooseReadings,
  isGap,
  type OwnGaps,
  parseGap,
} from '../../service/readings/index.js'
import { readingsLayers } from '../../story/index.js'
import { formatReadingsFile, loadExtensions, shippedExtensions } from '../../story/read/index.js'
import { layersOfFlags, type ReadingsFlags } from '../flags.js'
import { styleFor } from '../terminal.js'
import { refuseArguments } from './arguments.js'

interface ListFlags extends ReadingsFlags {
  readonly scenario: string
  readonly extend?: readonly string[]
  readonly json?: true
}

/** Lists the readings that a scenario would be served with. */
export async function listReadings(flags: ListFlags, command: Command): Promise<void> {
  refuseArguments(command, ['list', 'show', 'profile'], showOf)
  const { readings, origins, extensions } = await chosenReadings(
    flags.scenario,
    layersOfFlags(flags),
    flags.extend,
  )
  const text = flags.json
    ? JSON.stringify({ readings, origins, gaps: listAll({ readings, origins, extensions }) })
    : formatList({ readings, origins }, styleFor(process.stdout))
  process.stdout.write(`${text}\n`)
}

/** The gaps of the list for programs, with what it takes to learn their readings from a live service. */
function listAll({
  readings,
  origins,
  extensions,
}: ChosenReadings & { readonly extensions: Extensions }): object[] {
  return (Object.keys(readings) as GapId[]).map((id) => {
    const gap = gapOf(id, extensions.gaps)
    return {
      gap: id,
      reading: readings[id],
      from: origins[id],
      readings: gap?.readings.map(({ name }) => name),
      learned_by: gap?.learnedBy,
    }
  })
}

/** Suggests to show a gap that is given alone. */
function showOf(name: string): string | undefined {
  const gap = nearestName(name, gapIds)
  return gap && `show ${gap}`
}

function formatList({ readings, origins }: ChosenReadings, style: Style): string {
  const rows = (Object.keys(readings) as GapId[]).map((gap) => {
    const chosen = origins[gap] !== 'default'
    return { chosen, cells: [`${chosen ? '*' : ' '} ${gap}`, readings[gap], origins[gap]] }
  })
  const [header = '', ...lines] = alignCells([
    ['  gap', 'reading', 'from'],
    ...rows.map(({ cells }) => cells),
  ])
  const table = lines.map((line, index) => (rows[index]?.chosen ? style.strong(line) : line))
  const count = rows.filter(({ chosen }) => chosen).length
  const marked = count === 0 ? 'every reading is the default' : `* marks ${count} whose reading was chosen`
  return [
    style.faint(header),
    ...table,
    '',
    `${rows.length} gaps; ${marked}.`,
    `${invocation} readings show <gap> explains a gap and its readings.`,
  ].join('\n')
}

/** Explains gaps and their readings. */
export async function showGaps(
  names: readonly string[],
  flags: { readonly extend?: readonly string[]; readonly json?: true },
): Promise<void> {
  const own = await ownGaps(names, flags.extend)
  const ids = names.map((name) => parseGap(name, own))
  const style = styleFor(process.stdout)
  const texts = ids.map((id) => (flags.json ? JSON.stringify(describe(id, own)) : formatGap(id, own, style)))
  process.stdout.write(`${texts.join(flags.json ? '\n' : '\n\n\n')}\n`)
}

/** Returns the gaps of the named extensions, and of those that ship if a name is among neither those nor the documented. */
async function ownGaps(names: readonly string[], extend: readonly string[] = []): Promise<OwnGaps> {
  if (extend.length === 0 && names.every((name) => isGap(name))) return new Map()
  const { gaps } = await loadExtensions(extend, { from: 'anywhere' })
  if (names.every((name) => isGap(name, gaps))) return gaps
  const shipped = await loadExtensions(shippedExtensions, { from: 'shipped' })
  return new Map([...shipped.gaps, ...gaps])
}

/** Returns a gap for programs. */
function describe(id: GapId, own: OwnGaps): object {
  const { question, parts, concerns, learnedBy, readings, worst, advice, evidence } = gapOf(id, own) as Gap
  return {
    gap: id,
    question,
    parts,
    concerns,
    learned_by: learnedBy,
    readings: readings.map(({ name, means, example }, index) => {
      return { name, means, example, default: index === 0, worst: name === worst }
    }),
    advice,
    evidence,
  }
}

function formatGap(id: GapId, own: OwnGaps, style: Style): string {
  const { question, parts, concerns, readings, worst, advice, evidence } = gapOf(id, own) as Gap
  const explained = readings.map(({ name, means, example }, index) => {
    const marks = [index === 0 && 'default', name === worst && 'worst-case'].filter(Boolean).join(', ')
    const title = `${style.strong(name)}${marks && ` (${marks})`}`
    const seen = example === '' ? '' : `\n    ${style.faint('A client sees:')} ${example}`
    return `  ${title}\n    ${means}${seen}`
  })
  const other = readings[1].name
  return [
    style.strong(id),
    `${question}\n${parts.length === 0 ? 'An extension leaves it open' : `Interface ${parts.join(', ')}`}; it concerns ${concerns.join(', ') || 'its operations'}.`,
    ...explained,
    `${style.strong('Advice:')} ${advice}`,
    `${style.strong('Evidence:')} ${evidence}${evidence.includes('wirebox-sh') ? `\n${style.faint(`(${evidenceNote}.)`)}` : ''}`,
    `Choose a reading with, for example, --reading ${id}=${other}`,
  ].join('\n\n')
}

/** Prints all readings of a profile or a file. */
export async function printProfile(name: string, flags: { readonly json?: true }): Promise<void> {
  const { readings } = chooseReadings(await readingsLayers({ from: 'profile', input: name }))
  const text = flags.json
    ? `${JSON.stringify({ readings })}\n`
    : `${comment(name)}${formatReadingsFile(readings)}`
  process.stdout.write(text)
}

function comment(name: string): string {
  return `# All readings of ${name.replace(/\s/g, ' ')}. To serve with them: agent-mailbox-sim --readings <this file>\n`
}
