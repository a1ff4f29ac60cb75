import { didYouMean } from '../contract/nearest.js'
import { ScenarioError } from './scenario-error.js'

/** Reads what a scenario names: files beside it, and what ships with the package. */
export interface ScenarioFiles {
  /** Bytes of a file beside the scenario, or of a shipped attachment of that name. */
  read(name: string): Promise<Uint8Array>
  /** Bytes of a shipped attachment. */
  readShipped(name: string): Promise<Uint8Array>
}

// Node's modules are loaded only where a file is read, so that the library runs without them.
const nodeFiles = () => import('node:fs/promises')

const shipped = (folder: string, name: string) => new URL(`../../${folder}/${name}`, import.meta.url)

/** Where a scenario's text comes from. */
export interface ScenarioSource {
  /** Path or name, for messages. */
  readonly name: string
  readonly text: string
  /** The scenario's own URL, which its files are relative to. */
  readonly url: URL
}

/** Finds a shipped scenario by name, or a file by path. @throws ScenarioError `not-found` */
export async function findScenario(nameOrPath: string): Promise<ScenarioSource> {
  const isName = /^[a-z0-9-]+$/.test(nameOrPath)
  const { pathToFileURL } = await import('node:url')
  const url = isName ? shipped('scenarios', `${nameOrPath}.yaml`) : pathToFileURL(nameOrPath)
  const { readFile } = await nodeFiles()
  try {
    return {
      name: isName ? `scenarios/${nameOrPath}.yaml` : nameOrPath,
      text: await readFile(url, 'utf8'),
      url,
    }
  } catch {
    const names = await shippedScenarios()
    const known = names.join(', ')
    const message = isName
      ? `There is no scenario of that name${didYouMean(nameOrPath, names) || '.'} There is ${known}. A file is given by its path, e.g. ./${nameOrPath}.yaml.`
      : `There is no such file. Scenarios that ship with the simulator: ${known}.`
    throw new ScenarioError('not-found', nameOrPath, [{ key: '', message }])
  }
}

/** Names of the scenarios that ship with the package. */
export async function shippedScenarios(): Promise<string[]> {
  const { readdir } = await nodeFiles()
  const files = await readdir(shipped('scenarios', ''))
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -5))
    .sort()
}

/** Files relative to a scenario; one that is not a file only has the shipped ones. */
export function filesBeside(url: URL | undefined): ScenarioFiles {
  const readShipped = async (name: string): Promise<Uint8Array> =>
    (await nodeFiles()).readFile(shipped('fixtures/attachments', name))
  return {
    readShipped,
    async read(name) {
      if (!name.includes('/')) {
        const bytes = await readShipped(name).catch(() => undefined)
        if (bytes) return bytes
      }
      return (await nodeFiles()).readFile(new URL(name, url ?? shipped('', '')))
    },
  }
}
