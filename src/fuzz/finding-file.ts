import { copyFile, cp, mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { gaps } from '../contract/gaps.js'
import { invocation } from '../contract/package.js'
import { invariants } from '../expectations/invariants.js'
import { formatScenarioDocument, mapPaths } from '../scenario/document.js'
import { describeElement, type MailForm, type PlanElement } from './elements.js'
import type { FuzzedScenario } from './fuzzed-scenario.js'
import type { Failure } from './judging.js'
import type { FoundPlan } from './search.js'

/** How a finding is written down. */
export interface FindingFileOptions {
  readonly folder: string
  readonly name: string
  readonly seed: number
  /** What to do about it, in a sentence. */
  readonly advice: string
  /** The command that shows it again, after the file. */
  readonly command: string
}

/** Writes a finding as a scenario of its own, with the files that it names beside it; returns its path. */
export async function writeFinding(
  scenario: FuzzedScenario,
  { elements, failure, foundAfterRuns, shrinkRuns }: FoundPlan,
  { folder, name, seed, advice, command }: FindingFileOptions,
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${name}.yaml`)
  const document = scenario.documentOf(elements, failure.written ? [failure.written] : [])
  const copies = new Map<string, string>()
  const beside = mapPaths(document, (file) => {
    if (!isAbsolute(file)) return file
    const copy = copies.get(file) ?? join('files', `${copies.size + 1}-${basename(file)}`)
    copies.set(file, copy)
    return copy
  })
  for (const [file, copy] of copies) await copyBeside(file, join(folder, copy))
  const comment = [
    `Found by agent-mailbox-sim fuzz with seed ${seed}, in run ${foundAfterRuns}, and made smaller in ${shrinkRuns} runs.`,
    `What it did: ${failure.why}`,
    ...elements.map((element) => `  - ${describeElement(element)}`),
    `What to do: ${advice}`,
    `Again: ${invocation} replay ${path} -- ${command}`,
  ]
  await writeFile(path, await formatScenarioDocument(beside, comment.map(oneLine).join('\n')))
  return path
}

async function copyBeside(file: string, copy: string): Promise<void> {
  await mkdir(join(copy, '..'), { recursive: true })
  if ((await stat(file)).isDirectory()) await cp(file, copy, { recursive: true })
  else await copyFile(file, copy)
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').slice(0, 400)
}

/** Returns what to do about a failure under the elements of a plan, in a sentence. */
export function adviceOn({ judgedBy }: Failure, elements: readonly PlanElement[]): string {
  if (judgedBy !== 'command' && judgedBy !== 'expectation') return invariants[judgedBy].advice
  const [first] = elements.toSorted((one, other) => rank(one) - rank(other))
  if (!first) return ''
  switch (first.vary) {
    case 'readings':
      return gaps[first.gap].advice
    case 'faults':
      return 'Send a request that only reads again after 429 and 503, a few times, when its Retry-After is over.'
    case 'mail':
      if (forms.moving.has(first.form))
        return 'Read the first page again until nothing new is on it: mail moves threads between pages.'
      return forms.disordered.has(first.form)
        ? 'Keep the ids of the mail that was handled: it may come long after it was sent, and after what answers it.'
        : 'Take whatever mail may hold: no text, HTML alone, a long body, any characters, no subject.'
    case 'sizes':
      return 'Ask for the next page until one has fewer entries than its limit.'
    case 'timing':
      return 'Expect every change of the mailbox at any moment, also between two requests.'
    case 'deliveries':
      if (first.how === 'late')
        return 'Expect events in any order, and read what the thread holds at each of them.'
      return 'Keep the ids of the events that were handled, and answer 200 to those that come again.'
  }
}

const forms: Readonly<Record<'moving' | 'disordered', ReadonlySet<MailForm>>> = {
  moving: new Set<MailForm>(['plain', 'other-address', 'again', 'many']),
  disordered: new Set<MailForm>(['late', 'answer-first']),
}

const order = ['readings', 'mail', 'deliveries', 'timing', 'sizes', 'faults']

function rank({ vary }: PlanElement): number {
  return order.indexOf(vary)
}
