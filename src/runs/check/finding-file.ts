import { cp, writeFile } from 'node:fs/promises'
import { basename, isAbsolute, join, relative } from 'node:path'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { formatScenarioDocument, mapPaths } from '../../story/read/document.js'
import { makeFolder } from '../reports/write-file.js'
import type { CheckFinding } from './check-report.js'

/**
 * Writes the disturbed scenario of a finding into a folder, with copies of the files that it names except for code; returns its
 * path. `again` returns the command line that replays it.
 */
export async function writeFindingFile(
  folder: string,
  { id, problem, when, advice }: CheckFinding,
  document: ScenarioInput,
  again: (file: string) => string,
): Promise<string> {
  await makeFolder(folder)
  const name = id.replace(/[^\w.-]+/g, '-')
  const path = join(folder, `${name}.yaml`)
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
  const lines = [
    `Found by agent-mailbox-sim check: ${id}`,
    `${problem.replace(/\.$/, '')}, when ${when}`,
    advice,
  ]
  const comment = [
    ...lines.map((line) => line.replace(/\s*\n\s*/g, ' ').slice(0, 400)),
    `Replay: npx ${again(path)}`,
  ]
  await writeFile(path, await formatScenarioDocument(beside, comment.join('\n')))
  return path
}
