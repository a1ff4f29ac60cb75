import type { ScenarioDefinition } from '../define-scenario.js'
import type { Scenario } from '../format/index.js'
import { checkScenario } from '../problems/check-scenario.js'
import type { Locate } from '../problems/places.js'
import type { NoteFile } from './files.js'
import { findScenario, type ScenarioSource } from './find-scenario.js'
import { type Resolving, resolveDefinition } from './resolve-definition.js'
import { explainThrown } from './thrown.js'

/** A scenario whose format has been checked, and where it was read. */
export interface ReadScenario {
  /** Path of the file, or the scenario's name where there is no file. */
  readonly source: string
  readonly checked: Scenario
  readonly locate: Locate
  /** The scenario's own URL, where it is a file. */
  readonly url: URL | undefined
}

/** Reads a scenario from wherever it is, and checks its format. @throws ScenarioError with every problem in it */
export async function readScenario(
  scenario: string | ScenarioDefinition,
  seed: number | undefined,
  note: NoteFile,
): Promise<ReadScenario> {
  return typeof scenario === 'string'
    ? readFound(await findScenario(scenario, note), seed, note)
    : readDefinition(scenario, seed)
}

/** Reads what `defineScenario` gave. @throws as `readScenario` */
export function readDefinition(
  definition: ScenarioDefinition,
  seed: number | undefined,
): Promise<ReadScenario> {
  const source = nameOf(definition)
  const explain: Resolving['explain'] = (thrown, what) => explainThrown(thrown, what, source)
  return checkDefinition(definition, { source, what: 'it', seed, explain }, undefined)
}

/** Reads a file that was found. @throws as `readScenario` */
export async function readFound(
  found: ScenarioSource,
  seed: number | undefined,
  note: NoteFile,
): Promise<ReadScenario> {
  const { name: source, url } = found
  // Each is loaded here, so that other scenarios do without a parser, or a compiler.
  if (found.form === 'yaml') {
    const { parseScenarioText } = await import('../problems/parse.js')
    return { source, url, ...parseScenarioText(source, found.text) }
  }
  const { runScenarioModule } = await import('./typescript-file.js')
  const { exported, explain } = await runScenarioModule(found, note)
  return checkDefinition(exported, { source, what: 'the default export', seed, explain }, url)
}

async function checkDefinition(
  definition: unknown,
  resolving: Resolving,
  url: URL | undefined,
): Promise<ReadScenario> {
  const { source } = resolving
  const locate = () => undefined
  const checked = checkScenario(source, await resolveDefinition(definition, resolving), locate)
  return { source, checked, locate, url }
}

/** What messages about a scenario that is no file begin with. */
function nameOf(definition: ScenarioDefinition | null | undefined): string {
  const name = typeof definition === 'object' ? definition?.scenario : undefined
  return typeof name === 'string' && name !== '' ? name : 'scenario'
}
