import { cp, writeFile } from 'node:fs/promises'
import { basename, isAbsolute, join, relative } from 'node:path'
import { counted } from '../../base/text.js'
import { formatScenarioDocument, mapPaths } from '../../story/read/document.js'
import { makeFolder } from '../reports/write-file.js'
import type { FuzzedScenario } from './fuzzed-scenario.js'
import { describeElement } from './kinds/kinds.js'
import type { FoundPlan } from './search.js'

/** The options of a finding's file. */
export interface FindingFileOptions {
  readonly folder: string
  readonly name: string
  readonly seed: number
  /** Advice in a sentence. */
  readonly advice: string
  /** Returns the command line that replays a file. */
  again(file: string): string
}

/** Returns a scenario's name in a form that is valid in a file name. */
export function fileNameOf(scenario: string): string {
  return scenario.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'scenario'
}

/** Writes a finding as a scenario, with copies of the files it names except for code; returns its path. */
export async function writeFinding(
  scenario: FuzzedScenario,
  { elements, failure, foundAfterRuns, shrinkRuns }: FoundPlan,
  { folder, name, seed, advice, again }: FindingFileOptions,
): Promise<string> {
  await makeFolder(folder)
  const path = join(folder, `${name}.yaml`)
  const document = scenario.documentOf(elements, failure.written ? [failure.written] : [])
  const copies = new Map<string, string>()
  // A separate folder, since another finding may have other files.
  const files = `${name}.files`
  const beside = mapPaths(document, (file) => {
    if (!isAbsolute(file)) return file
    // A copy of code would lack what it imports.
    if (/\.[cm]?[jt]s$/.test(file)) return relative(folder, file).replaceAll('\\', '/')
    // Names stay: clients see those of attachments.
    const copy = copies.get(file) ?? join(files, `${copies.size + 1}`, basename(file)).replaceAll('\\', '/')
    copies.set(file, copy)
    return copy
  })
  for (const [file, copy] of copies) await cp(file, join(folder, copy), { recursive: true })
  const comment = [
    `Found by agent-mailbox-sim fuzz with seed ${seed}, in run ${foundAfterRuns}, and reduced in ${counted(shrinkRuns, 'run')}.`,
    `Failure: ${failure.why}`,
    ...elements.map((element) => `  - ${describeElement(element)}`),
    `Advice: ${advice}`,
  ].map(oneLine)
  // Complete, since it is meant to be pasted into a shell.
  comment.push(`Replay: npx ${again(path)}`)
  await writeFile(path, await formatScenarioDocument(beside, comment.join('\n')))
  return path
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').slice(0, 400)
}
