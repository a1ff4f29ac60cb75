import type { Command } from 'commander'
import { stringify } from 'yaml'
import { invocation } from '../base/package.js'
import { gapOf } from '../contract/extensions.js'
import { describeAssumptions, evidenceNote, type Gap, namesOfAssumptions } from '../contract/gaps/gap.js'
import type { GapId } from '../contract/gaps.js'
import { chosenAssumptions } from '../doors/simulator/scenario-loader.js'
import type { Style } from '../runs/reports/report.js'
import {
  type AssumptionsLayer,
  chooseAssumptions,
  type OwnGaps,
  parseGap,
} from '../service/assumptions/assumptions.js'
import { assumptionsLayers } from '../story/read/assumptions.js'
import { loadExtensions, shippedExtension } from '../story/read/extensions.js'
import { addAssumptionsFlags, examplesOf, extendOption, refuseArguments } from './flags.js'
import { formatTable, print, styleFor } from './terminal.js'

/** Adds the commands that show gaps and their assumptions. */
export function addAssumptions(assumptions: Command): void {
  assumptions
    .description(
      'The interface leaves some points open. Each is a gap; each possible answer to it is an assumption. ' +
        'Without a command, the assumptions in force are listed.',
    )
    .usage('[list | show <gap...> | profile <name|file>] [options]')
    .addHelpText('after', `\n${examples}`)
  const list = assumptions
    .command('list', { isDefault: true })
    .summary('list every gap with the assumption in force')
    .description(
      'Lists every gap with the assumption that serve would start with, and where it was chosen. A flag overrides the ' +
        'environment (MAILBOX_SIM_ASSUME), which overrides the scenario, which overrides the default.',
    )
    .option('--scenario <name|path>', 'the scenario to read', 'support-desk')
    .addOption(extendOption())
  addAssumptionsFlags(list)
    .option(
      '--json',
      'print one JSON object: {"assumptions": {gap: assumption}, "origins": {gap: from}, "gaps": […]}',
    )
    .allowExcessArguments()
    .addHelpText('after', examplesOf('assumptions list', 'assumptions list --scenario ./story.yaml --json'))
    .action(listAssumptions)
  assumptions
    .command('show')
    .summary('explain gaps: their assumptions, and how a client can be correct under each')
    .description(
      'Explains gaps: the question the interface leaves open, every assumption with what a client sees under ' +
        'it, how a client can be correct under all of them, and what is known about real services.',
    )
    .argument('<gap...>', 'one or more gaps, e.g. threads.total')
    .addOption(extendOption())
    .option('--json', 'print one JSON object per gap, each on a line')
    .addHelpText(
      'after',
      examplesOf('assumptions show threads.total', 'assumptions show threads.total threads.order'),
    )
    .action(showGaps)
  assumptions
    .command('profile')
    .summary('print all assumptions of a profile or a file')
    .description(
      'Prints all assumptions of a profile, or of a file and what it extends, in the form of a file for --assume.',
    )
    .argument('<name|file>', 'default, worst-case, seed:<n>, or a file of assumptions')
    .option('--json', 'as JSON instead of YAML')
    .addHelpText('after', examplesOf('assumptions profile seed:7 > seven.yaml'))
    .action(printProfile)
}

const examples = `Examples:
  ${invocation} assumptions                               every gap, its assumption, and where it was chosen
  ${invocation} assumptions --assume worst-case           the same, with --assume worst-case
  ${invocation} assumptions show threads.total            one gap: its assumptions, and how to be correct under each
  ${invocation} assumptions profile seed:7 > seven.yaml   assumptions to save and edit
  ${invocation} serve --assume ./seven.yaml               serves a scenario with them`

interface ListFlags {
  readonly assume?: readonly AssumptionsLayer[]
  readonly scenario: string
  readonly extend?: readonly string[]
  readonly json?: true
}

/** Lists the assumptions that a scenario would be served with; for programs, also what it takes to learn each. */
async function listAssumptions(flags: ListFlags, command: Command): Promise<void> {
  refuseArguments(command)
  const chosen = await chosenAssumptions(flags.scenario, flags.assume, flags.extend)
  const { assumptions, origins, extensions } = chosen
  const ids = Object.keys(assumptions) as GapId[]
  if (flags.json) {
    const gaps = ids.map((id) => {
      const gap = gapOf(id, extensions.gaps) as Gap
      const names = namesOfAssumptions(gap)
      const { [id]: assumption } = assumptions
      return { gap: id, assumption, from: origins[id], assumptions: names, learned_by: gap.learnedBy }
    })
    return print(JSON.stringify({ assumptions, origins, gaps }))
  }
  const isChosen = (id: GapId): boolean => origins[id] !== 'default'
  const rows = ids.map((id) => [`${isChosen(id) ? '*' : ' '} ${id}`, assumptions[id], origins[id]])
  const count = ids.filter(isChosen).length
  const marked =
    count === 0 ? 'every assumption is the default' : `* marks ${count} whose assumption was chosen`
  print(`${formatTable([['  gap', 'assumption', 'from'], ...rows])}

${ids.length} gaps; ${marked}.
${invocation} assumptions show <gap> explains a gap and its assumptions.`)
}

/** Explains gaps and their assumptions. */
async function showGaps(
  names: readonly string[],
  flags: { readonly extend?: readonly string[]; readonly json?: true },
): Promise<void> {
  const { gaps: own } = await loadExtensions([...new Set([shippedExtension, ...(flags.extend ?? [])])])
  const ids = names.map((name) => parseGap(name, own))
  const style = styleFor(process.stdout)
  const texts = ids.map((id) => (flags.json ? JSON.stringify(describe(id, own)) : formatGap(id, own, style)))
  print(texts.join(flags.json ? '\n' : '\n\n\n'))
}

/** Returns a gap for programs. */
function describe(id: GapId, own: OwnGaps): object {
  const gap = gapOf(id, own) as Gap
  const { question, parts, concerns, learnedBy, worst, advice, evidence } = gap
  return {
    gap: id,
    question,
    parts,
    concerns,
    learned_by: learnedBy,
    assumptions: describeAssumptions(gap).map(({ name, means, example }, index) => {
      return { name, means, example, default: index === 0, worst: name === worst }
    }),
    advice,
    evidence,
  }
}

function formatGap(id: GapId, own: OwnGaps, style: Style): string {
  const gap = gapOf(id, own) as Gap
  const { question, parts, concerns, worst, advice, evidence } = gap
  const explained = describeAssumptions(gap).map(({ name, means, example }, index) => {
    const marks = [index === 0 && 'default', name === worst && 'worst-case'].filter(Boolean).join(', ')
    const title = `${style.strong(name)}${marks && ` (${marks})`}`
    const seen = example === '' ? '' : `\n    ${style.faint('A client sees:')} ${example}`
    return `  ${title}\n    ${means}${seen}`
  })
  const other = namesOfAssumptions(gap)[1]
  return [
    style.strong(id),
    `${question}\n${parts.length === 0 ? 'An extension leaves it open' : `Interface ${parts.join(', ')}`}; it concerns ${concerns.join(', ') || 'its operations'}.`,
    ...explained,
    `${style.strong('Advice:')} ${advice}`,
    `${style.strong('Evidence:')} ${evidence}${evidence.includes('wirebox-sh') ? `\n${style.faint(`(${evidenceNote}.)`)}` : ''}`,
    `Choose an assumption with, for example, --assume ${id}=${other}`,
  ].join('\n\n')
}

/** Prints all assumptions of a profile or a file. */
async function printProfile(name: string, flags: { readonly json?: true }): Promise<void> {
  const { assumptions: assume } = chooseAssumptions(await assumptionsLayers({ from: 'profile', input: name }))
  if (flags.json) return print(JSON.stringify({ assume }))
  print(`# All assumptions of ${name.replace(/\s/g, ' ')}. To serve with them: agent-mailbox-sim --assume <this file>
${stringify({ assume }).trimEnd()}`)
}
