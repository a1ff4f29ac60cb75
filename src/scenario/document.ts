import type { ScenarioDefinition } from './define-scenario.js'
import type { ScenarioInput } from './format/index.js'
import { findScenario } from './source/find-scenario.js'
import { readDefinition, readFound } from './source/read-scenario.js'

/** Changes the paths of files that a scenario names. */
export type MapPath = (path: string) => string

/**
 * Reads a scenario as people write it, with the files it names by their absolute URLs' paths: a copy,
 * to be changed, loaded as an object, or written.
 * @throws ScenarioError
 */
export async function readScenarioDocument(
  scenario: string | ScenarioDefinition,
  seed: number | undefined,
): Promise<ScenarioInput> {
  const { value, url } =
    typeof scenario === 'string'
      ? await readFound(await findScenario(scenario), seed)
      : await readDefinition(scenario, seed)
  const copy: ScenarioInput = JSON.parse(JSON.stringify(value))
  return url ? mapPaths(copy, await pathsFrom(url)) : copy
}

/** Writes a scenario as YAML, with comments at its head. */
export async function formatScenarioDocument(document: ScenarioInput, comment: string): Promise<string> {
  const { Document, isSeq, visit } = await import('yaml')
  const written = new Document(document)
  written.commentBefore = comment
    .split('\n')
    .map((line) => (line === '' ? '' : ` ${line}`))
    .join('\n')
  // What happens and what is expected is read line by line.
  for (const key of ['timeline', 'expect', 'webhooks']) {
    const list = written.get(key)
    if (!isSeq(list)) continue
    for (const item of list.items) {
      visit(item as never, {
        Map(_, node) {
          node.flow = true
        },
      })
    }
  }
  return written.toString({ lineWidth: 0, flowCollectionPadding: true })
}

/** Returns a scenario with every path of a file that it names changed. */
export function mapPaths<Value>(value: Value, change: MapPath, key = ''): Value {
  if (typeof value === 'string') return (isPath(value, key) ? change(value) : value) as Value
  if (Array.isArray(value)) return value.map((item) => mapPaths(item, change, key)) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, item]) => {
    const isKind = key === 'kinds' && isPath(name, 'kinds')
    return [isKind ? change(name) : name, mapPaths(item, change, name)]
  })
  return Object.fromEntries(entries) as Value
}

const pathKeys = ['eml', 'maildir', 'attachments', 'file']

function isPath(text: string, key: string): boolean {
  if (key === 'kinds' || key === 'readings') return /\.(ya?ml|json)$/.test(text)
  return pathKeys.includes(key) && !text.includes('\n')
}

/** What is no file there is the name of a shipped one, and stays. */
async function pathsFrom(url: URL): Promise<MapPath> {
  const { existsSync } = await import('node:fs')
  const { fileURLToPath } = await import('node:url')
  return (path) => {
    const file = fileURLToPath(new URL(encodeURI(path), url))
    return existsSync(file) ? file : path
  }
}
