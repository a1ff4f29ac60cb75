import type { Command } from 'commander'
import { type Extensions, gapOf } from '../contract/extensions.js'
import { evidenceNote } from '../contract/gaps/gap.js'
import { type Gap, type GapId, gapIds } from '../contract/gaps.js'
import { invocation } from '../contract/package.js'
import { nearestName } from '../contract/text.js'
import type { Style } from '../reports/index.js'
import type { ChosenReadings, OwnGaps } from '../world/index.js'
import { isGap, parseGap } from '../world/readings.js'
import {
  addReadingsFlags,
  examplesOf,
  extendOption,
  layersOfFlags,
  type ReadingsFlags,
  refuseArguments,
} from './flags.js'
import { styleFor } from './terminal.js'

/** Adds the commands that show gaps and their readings. */
export function addReadings(program: Command): void {
  const readings = program
    .command('readings')
    .summary('show what the interface leaves open, and the readings in force')
    .description(
      'The interface leaves some points open. Each is a gap; each possible answer to it is a reading. ' +
        'Without a command, the readings in force are listed.',
    )
    .usage('[list | show <gap...> | profile <name|file>] [options]')
    .addHelpText('after', `\n${examples}`)
  addList(readings)
  addShow(readings)
  addProfile(readings)
}

const examples = `Examples:
  ${invocation} readings                               every gap, its reading, and where it was chosen
  ${invocation} readings --readings worst-case         the same, with --readings worst-case
  ${invocation} readings show threads.total            one gap: its readings, and how to be correct under each
  ${invocation} readings profile seed:7 > seven.yaml   readings to save and edit
  ${invocation} serve --readings ./seven.yaml          serves a scenario with them`

interface ListFlags extends ReadingsFlags {
  readonly scenario: string
  readonly extend?: readonly string[]
  readonly json?: true
}

/** Adds the command that lists the readings a scenario would be served with. */
function addList(readings: Command): void {
  const command = readings
    .command('list', { isDefault: true })
    .summary('list every gap with the reading in force')
    .description(
      'Lists every gap with the reading that serve would start with, and where it was chosen. A flag overrides the ' +
        'environment (MAILBOX_SIM_READINGS), which overrides the scenario, which overrides the default.',
    )
    .option('--scenario <name|path>', 'the scenario to read', 'support-desk')
    .addOption(extendOption())
  addReadingsFlags(command)
    .option(
      '--json',
      'print one JSON object: {"readings": {gap: reading}, "origins": {gap: from}, "gaps": […]}',
    )
    .allowExcessArguments()
    .addHelpText('after', examplesOf('readings list', 'readings list --scenario ./story.yaml --json'))
    .action(list)
}

async function list(flags: ListFlags, command: Command): Promise<void> {
  refuseArguments(command, ['list', 'show', 'profile'], showOf)
  // Loaded here, so that help and wrong flags are answered without it.
  const { chosenReadings } = await import('../simulator/scenario-loader.js')
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
    return { chosen, cells: [gap, readings[gap], origins[gap]], mark: chosen ? '*' : ' ' }
  })
  const widths = [0, 1].map((column) => Math.max(...rows.map(({ cells }) => cells[column]?.length ?? 0)))
  const line = (mark: string, cells: readonly string[]) => {
    return `${mark} ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`
  }
  const table = rows.map(({ chosen, cells, mark }) => {
    return chosen ? style.strong(line(mark, cells)) : line(mark, cells)
  })
  const count = rows.filter(({ chosen }) => chosen).length
  const marked = count === 0 ? 'every reading is the default' : `* marks ${count} whose reading was chosen`
  return [
    style.faint(line(' ', ['gap', 'reading', 'from'])),
    ...table,
    '',
    `${rows.length} gaps; ${marked}.`,
    `${invocation} readings show <gap> explains a gap and its readings.`,
  ].join('\n')
}

/** Adds the command that explains gaps. */
function addShow(readings: Command): void {
  readings
    .command('show')
    .summary('explain gaps: their readings, and how a client can be correct under each')
    .description(
      'Explains gaps: the question the interface leaves open, every reading with what a client sees under ' +
        'it, how a client can be correct under all of them, and what is known about real services.',
    )
    .argument('<gap...>', 'one or more gaps, e.g. threads.total')
    .addOption(extendOption())
    .option('--json', 'print one JSON object per gap, each on a line')
    .addHelpText(
      'after',
      examplesOf('readings show threads.total', 'readings show threads.total threads.order'),
    )
    .action(show)
}

async function show(
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
  // Loaded here, so that gaps of the interface are shown without it.
  const { loadExtensions, shippedExtensions } = await import('../scenario/source/extension-files.js')
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
    `${style.strong('Evidence:')} ${evidence}${/\bSI\b/.test(evidence) ? `\n${style.faint(`(${evidenceNote}.)`)}` : ''}`,
    `Choose a reading with, for example, --reading ${id}=${other}`,
  ].join('\n\n')
}

/** Adds the command that writes out a profile. */
function addProfile(readings: Command): void {
  readings
    .command('profile')
    .summary('print all readings of a profile or a file')
    .description(
      'Prints all readings of a profile, or of a file and what it extends, in the form of a file for --readings.',
    )
    .argument('<name|file>', 'default, worst-case, seed:<n>, or a file of readings')
    .option('--json', 'as JSON instead of YAML')
    .addHelpText('after', examplesOf('readings profile seed:7 > seven.yaml'))
    .action(profile)
}

async function profile(name: string, flags: { readonly json?: true }): Promise<void> {
  // Loaded here, so that help and wrong flags are answered without it.
  const { readingsLayers } = await import('../scenario/index.js')
  const { formatReadingsFile } = await import('../scenario/source/readings-text.js')
  const { chooseReadings } = await import('../world/index.js')
  const { readings } = chooseReadings(await readingsLayers({ from: 'profile', input: name }))
  const text = flags.json
    ? `${JSON.stringify({ readings })}\n`
    : `${comment(name)}${formatReadingsFile(readings)}`
  process.stdout.write(text)
}

function comment(name: string): string {
  return `# All readings of ${name.replace(/\s/g, ' ')}. To serve with them: agent-mailbox-sim --readings <this file>\n`
}
