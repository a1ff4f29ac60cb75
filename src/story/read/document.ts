import { alternativesOf, schemasWithin, z } from '../../base/schema.js'
import { nameOfMessage, nameParts } from '../compile/parts.js'
import { type ScenarioInput, scenarioSchema } from '../format/scenario.js'
import { fileMark } from '../format/values.js'
import type { ScenarioDefinition } from './define-scenario.js'
import { readWritten } from './read-scenario.js'

/**
 * Reads a scenario in the form that its author wrote, with the files it names as absolute paths. The document is a copy that may
 * be changed, loaded as an object, or written; `locate` finds the places of its parts in the `source`.
 * @throws ScenarioError
 */
export async function readScenarioDocument(scenario: string | ScenarioDefinition, seed: number | undefined) {
  const { value, url, source, locate } = await readWritten(scenario, { seed })
  const copy: ScenarioInput = JSON.parse(JSON.stringify(value))
  const document = url ? mapPaths(keepingNames(copy), await pathsFrom(url)) : copy
  return { document, source, locate }
}

/** Returns a scenario whose messages keep their ids when the paths from which the ids are derived change. */
function keepingNames(document: ScenarioInput): ScenarioInput {
  const inThread = <Thread extends WrittenThread>(thread: Thread): Thread => {
    const named = nameParts(thread.messages ?? [], nameOfMessage)
    const messages = named.map(([key, message]) => {
      const { eml } = message
      return eml !== undefined && nameOfMessage(message) === eml && !eml.includes('\n')
        ? { key, ...message }
        : message
    })
    return { ...thread, ...(thread.messages && { messages }) }
  }
  const inIdentity = <Identity extends WrittenIdentity>(identity: Identity): Identity => {
    return { ...identity, ...(identity.threads && { threads: identity.threads.map(inThread) }) }
  }
  const { identities, organizations } = document
  return {
    ...document,
    ...(identities && { identities: identities.map(inIdentity) }),
    ...(organizations && {
      organizations: organizations.map((one) => {
        return { ...one, ...(one.identities && { identities: one.identities.map(inIdentity) }) }
      }),
    }),
  }
}

type WrittenIdentity = NonNullable<ScenarioInput['identities']>[number]
type WrittenThread = NonNullable<WrittenIdentity['threads']>[number]

/** Writes a scenario as YAML, with comments at its head. */
export async function formatScenarioDocument(document: ScenarioInput, comment: string): Promise<string> {
  const { Document } = await import('yaml')
  const written = new Document(document)
  written.commentBefore = comment.replace(/^(?=.)/gm, ' ')
  return written.toString({ lineWidth: 0 })
}

/** Returns a scenario with every path of a file that it names changed; the schema marks where they are. */
export function mapPaths(document: ScenarioInput, change: (path: string) => string): ScenarioInput {
  const changed = (text: string, schemas: readonly z.core.$ZodType[]): string => {
    const isPath = schemas.some((schema) => {
      const mark = schema instanceof z.ZodType ? schema.meta()?.[fileMark] : undefined
      return typeof mark === 'string' && new RegExp(mark).test(text)
    })
    return isPath ? change(text) : text
  }
  const visit = (value: unknown, schemas: readonly z.core.$ZodType[]): unknown => {
    if (typeof value === 'string') return changed(value, schemas)
    if (Array.isArray(value)) return value.map((item, index) => visit(item, schemasWithin(schemas, index)))
    if (typeof value !== 'object' || value === null) return value
    const names = schemas.flatMap((one) => (one instanceof z.ZodRecord ? alternativesOf(one.keyType) : []))
    const entries = Object.entries(value).map(([name, item]) => {
      return [changed(name, names), visit(item, schemasWithin(schemas, name))]
    })
    return Object.fromEntries(entries)
  }
  return visit(document, alternativesOf(scenarioSchema)) as ScenarioInput
}

/** Resolves paths against a scenario's URL. A path without a file there names a shipped file, and is kept. */
async function pathsFrom(url: URL): Promise<(path: string) => string> {
  const { existsSync } = await import('node:fs')
  const { fileURLToPath } = await import('node:url')
  return (path) => {
    const file = fileURLToPath(new URL(encodeURI(path), url))
    return existsSync(file) ? file : path
  }
}
