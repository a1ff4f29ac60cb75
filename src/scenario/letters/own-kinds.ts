import type { Path, ProblemAt } from '../problems/problem.js'
import type { Agent } from '../resolve/parts.js'
import type { ScenarioFiles } from '../source/files.js'
import { FileError } from '../source/files.js'
import { compileKind, type MailKind } from './kinds.js'
import { mailCategories } from './schema.js'
import { loadLocale } from './wording.js'

/** The kinds of mail that a scenario takes from files beside it, by locale. */
export type OwnKinds = ReadonlyMap<string, readonly MailKind[]>

/** Reads the kinds of mail that a scenario names, once for each language that they are generated in. */
export async function readOwnKinds(
  agents: readonly Agent[],
  files: ScenarioFiles,
): Promise<{ readonly kinds: OwnKinds; readonly problems: readonly ProblemAt[] }> {
  const kinds = new Map<string, MailKind[]>()
  const problems: ProblemAt[] = []
  for (const { name, locale, path } of wantedFiles(agents)) {
    const ofLocale = kinds.get(locale) ?? []
    kinds.set(locale, ofLocale)
    if (ofLocale.some((kind) => kind.name === name)) continue
    try {
      const text = new TextDecoder().decode(await files.read(name))
      ofLocale.push(...(await compileFile(name, text, locale, problems)))
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      problems.push({ path, part: 'key', message: `${error.message}; ${remedy}` })
    }
  }
  return { kinds, problems }
}

const remedy = `a kind of mail of your own is a YAML file beside the scenario, the others are ${mailCategories.join(', ')}`

/** Compiles the kind in a file; what is wrong with it is added to the problems. */
async function compileFile(
  name: string,
  text: string,
  locale: string,
  problems: ProblemAt[],
): Promise<MailKind[]> {
  const { checkKindFile } = await import('./files.js')
  const checked = checkKindFile(name, text)
  problems.push(...checked.problems)
  const { source, locate } = checked
  if (!source) return []
  const { language } = await loadLocale(locale)
  const file = { name, locate }
  const begin = compileKind(language, source, (path, message) => problems.push({ path, message, file }))
  return [{ name, category: name, weight: 1, oneWay: 'first' in source, isOwn: true, begin }]
}

interface WantedFile {
  readonly name: string
  readonly locale: string
  /** Where the scenario names it. */
  readonly path: Path
}

function wantedFiles(agents: readonly Agent[]): WantedFile[] {
  return agents.flatMap(({ identity: { generate }, locale, path }) => {
    const wanted = generate?.kinds ?? []
    const names = Array.isArray(wanted)
      ? [...wanted.entries()]
      : Object.keys(wanted).map((name) => [name, name] as const)
    return names
      .filter(([, name]) => !mailCategories.some((category) => category === name))
      .map(([key, name]) => ({ name, locale, path: [...path, 'generate', 'kinds', key] }))
  })
}
