import { counted } from '../../base/text.js'
import type { JunitCase } from '../reports/junit.js'
import type { Report } from '../reports/report.js'
import type { Minimized, StoryPart } from './minimize.js'

/** Prepares the report of a minimized story for the reporters. */
export function minimizeReport({ result, whole }: Minimized): Report {
  const { scenario, reason, needed, of, decisive, story, confirmed, plays } = result
  const headline = headlineOf({ result, whole })
  const problem = reason && {
    is: 'failure' as const,
    type: 'story',
    message: reason.describe,
    text: story ?? headline,
  }
  const one: JunitCase = { name: 'The story passes.', className: `${scenario}.minimize`, seconds: 0, problem }
  return {
    document: result,
    passed: whole.passed,
    isEmpty: whole.not_judged === 'nothing-checked',
    headline,
    ...(reason && { paragraphs: [`It fails for this reason: ${reason.describe}`] }),
    ...(reason && {
      table: {
        title: 'What the story needs to fail',
        subject: ['part of the story'],
        columns: ['without it', ''],
        rows: needed.map((part) => {
          const isDecisive = decisive.includes(part)
          const tone = isDecisive ? ('failed' as const) : ('unsure' as const)
          const result = isDecisive ? 'does not fail' : 'needed as well'
          return { name: nameOf(part), cells: [{ text: result, tone }, { text: '' }] }
        }),
      },
    }),
    findings: [],
    ...(story !== null && {
      output: { title: 'The smallest story that still fails', text: story.trimEnd() },
    }),
    notes: [
      ...(reason && !confirmed ? ['the written story did not fail in the same way when it was played'] : []),
      ...(reason && decisive.length === 0
        ? ['it fails for this reason without any single part of the story, too']
        : []),
    ],
    facts: [`${counted(plays, 'play')}; ${counted(needed.length, 'part')} of ${of.length} left`],
    suites: [
      {
        name: scenario,
        package: 'agent-mailbox-sim.minimize',
        seconds: 0,
        properties: {},
        cases: [one],
        output: story ?? '',
      },
    ],
  }
}

function headlineOf({ result, whole }: Minimized): string {
  const { scenario, reason, needed, of, decisive } = result
  if (!reason)
    return whole.passed ? `${scenario} passed: there is nothing to minimize` : `${scenario} was not judged`
  const size = `${scenario} fails with ${needed.length} of ${counted(of.length, 'part')}`
  const [first] = decisive
  if (!first) return `${size}; no part of the story is decisive`
  return `${size}; it does not without ${decisive.map(nameOf).join(' and ')}`
}

function nameOf({ is, name }: StoryPart): string {
  return is === 'entry' ? `the entry "${name}"` : `the assumption of ${name}`
}
