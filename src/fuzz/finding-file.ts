import { copyFile, cp, mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { invocation } from '../contract/package.js'
import { counted } from '../contract/text.js'
import { invariants } from '../expectations/invariants.js'
import { formatScenarioDocument, mapPaths } from '../scenario/document.js'
import type { FuzzedScenario } from './fuzzed-scenario.js'
import type { Failure } from './judging.js'
import { adviceOf, describeElement, type PlanElement } from './kinds/index.js'
import type { FoundPlan } from './search.js'

/** The options of a finding's file. */
export interface FindingFileOptions {
  readonly folder: string
  readonly name: string
  readonly seed: number
  /** Advice in a sentence. */
  readonly advice: string
  /** The arguments after the file in the command line that replays it. */
  readonly rest: string
}

/** Writes a finding as a scenario, with copies of the files it names, and returns its path. */
export async function writeFinding(
  scenario: FuzzedScenario,
  { elements, failure, foundAfterRuns, shrinkRuns }: FoundPlan,
  { folder, name, seed, advice, rest }: FindingFileOptions,
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
    `Found by agent-mailbox-sim fuzz with seed ${seed}, in run ${foundAfterRuns}, and reduced in ${counted(shrinkRuns, 'run')}.`,
    `Failure: ${failure.why}`,
    ...elements.map((element) => `  - ${describeElement(element)}`),
    `Advice: ${advice}`,
    `Replay: ${invocation} replay ${path} ${rest}`,
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

/** Returns advice about a failure under the elements of a plan, in a sentence. */
export function adviceOn({ judgedBy }: Failure, elements: readonly PlanElement[]): string {
  const isInvariant = judgedBy !== 'command' && judgedBy !== 'expectation'
  return isInvariant ? invariants[judgedBy].advice : adviceOf(elements)
}
