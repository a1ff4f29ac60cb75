import type { ProblemAt } from '../problems/problem.js'
import type { Agent } from '../resolve/parts.js'
import { reasonOf, type ScenarioFiles } from '../source/files.js'
import { compileKind, type MailKind } from './kinds.js'
import { mailCategories } from './schema.js'
import { loadLocale } from './wording.js'

/** The kinds of mail that a scenario takes from files beside it, by locale. */
export type OwnKinds = ReadonlyMap<string, readonly MailKind[]>

const remedy = `a kind of mail of your own is a YAML file beside the scenario, the others are ${mailCategories.join(', ')}`

/** Reads the kinds of mail that a scenario takes from files, once for each language that uses them. */
export async function readOwnKinds(
  agents: readonly Agent[],
  files: ScenarioFiles,
): Promise<{ readonly kinds: OwnKinds; readonly problems: readonly ProblemAt[] }> {
  const kinds = new Map<string, MailKind[]>()
  const problems: ProblemAt[] = []
  for (const { identity, locale, path } of agents) {
    const own = kinds.get(locale) ?? []
    kinds.set(locale, own)
    const named = identity.generate?.kinds ?? []
    const entries = Array.isArray(named)
      ? named.entries()
      : Object.keys(named).map((name) => [name, name] as const)
    for (const [key, name] of entries) {
      const isCategory = mailCategories.some((category) => category === name)
      if (isCategory || own.some((kind) => kind.name === name)) continue
      try {
        const text = new TextDecoder().decode(await files.read(name))
        own.push(...(await compileFile(name, text, locale, problems)))
      } catch (error) {
        const message = `${reasonOf(error)}; ${remedy}`
        problems.push({ path: [...path, 'generate', 'kinds', key], part: 'key', message })
      }
    }
  }
  return { kinds, problems }
}

/** Compiles the kind in a file; adds its problems to `problems`. */
async function compileFile(
  name: string,
  text: string,
  locale: string,
  problems: ProblemAt[],
): Promise<MailKind[]> {
  const { checkKindFile } = await import('./files.js')
  const { file, source, problems: found } = checkKindFile(name, text)
  problems.push(...found)
  if (!source) return []
  const { language } = await loadLocale(locale)
  const begin = compileKind(language, source, (path, message) => problems.push({ path, message, file }))
  return [{ name, category: name, weight: 1, oneWay: 'first' in source, isOwn: true, begin }]
}
