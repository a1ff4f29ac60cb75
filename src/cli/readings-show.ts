import type { Command } from 'commander'
import { evidenceNote } from '../contract/gaps/notes.js'
import { type Gap, type GapId, gaps } from '../contract/gaps.js'
import { parseGap } from '../world/readings.js'
import { type Paint, paintFor } from './terminal.js'

/** Adds the command that explains gaps. */
export function addReadingsShow(readings: Command): void {
  readings
    .command('show')
    .summary('explain gaps: their readings, and how to be right under each')
    .description(
      'Explains gaps: the question the interface leaves open, every reading with what a client sees under ' +
        'it, what to do to be right under all of them, and what is known of the world outside.',
    )
    .argument('<gap...>', 'one or more gaps, e.g. threads.total')
    .option('--json', 'one JSON object a line, for each gap one')
    .action(show)
}

function show(names: readonly string[], flags: { readonly json?: true }): void {
  const ids = names.map(parseGap)
  const paint = paintFor(process.stdout)
  const texts = ids.map((id) => (flags.json ? JSON.stringify(describe(id)) : formatGap(id, paint)))
  process.stdout.write(`${texts.join(flags.json ? '\n' : '\n\n\n')}\n`)
}

/** A gap as programs read it. */
function describe(id: GapId): object {
  const { question, parts, concerns, readings, worst, advice, evidence }: Gap = gaps[id]
  return {
    gap: id,
    question,
    parts,
    concerns,
    readings: readings.map(({ name, means, example }, index) => {
      return { name, means, example, default: index === 0, worst: name === worst }
    }),
    advice,
    evidence,
  }
}

function formatGap(id: GapId, paint: Paint): string {
  const { question, parts, concerns, readings, worst, advice, evidence }: Gap = gaps[id]
  const explained = readings.map(({ name, means, example }, index) => {
    const marks = [index === 0 && 'default', name === worst && 'worst-case'].filter(Boolean).join(', ')
    const title = `${paint.strong(name)}${marks && ` (${marks})`}`
    return `  ${title}\n    ${means}\n    ${paint.faint('A client sees:')} ${example}`
  })
  const other = readings[1].name
  return [
    paint.strong(id),
    `${question}\nInterface ${parts.join(', ')}; it concerns ${concerns.join(', ')}.`,
    ...explained,
    `${paint.strong('Advice:')} ${advice}`,
    `${paint.strong('Evidence:')} ${evidence}${/\bSI\b/.test(evidence) ? `\n${paint.faint(`(${evidenceNote}.)`)}` : ''}`,
    `Choose a reading with, for example, --reading ${id}=${other}`,
  ].join('\n\n')
}
