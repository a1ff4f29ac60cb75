import { type Extensions, joinExtensions } from '../contract/extensions.js'
import type { InitialState, ReadingsLayer } from '../world/index.js'
import { compileScenario } from './compile/compile.js'
import type { OnProgress } from './compile/progress.js'
import type { ScenarioDefinition } from './define-scenario.js'
import { type ProblemAt, refusal } from './problems/problem.js'
import { type ExtensionSource, loadExtensions } from './source/extension-files.js'
import { filesBeside, type NoteFile, shippedFiles } from './source/files.js'
import type { ScenarioSource } from './source/find-scenario.js'
import { type ReadScenario, readDefinition, readFound } from './source/read-scenario.js'
import { ownReadings } from './source/readings.js'

/** What a scenario comes to: the same for the same text and seed, whatever readings anybody else wants. */
export type LoadedScenario = Omit<InitialState, 'readings' | 'origins' | 'fingerprint' | 'extensions'>

/** A scenario that was found and whose format is right; its mailboxes are still to come. */
export interface OpenedScenario {
  /** The readings it brings itself; none where something is wrong with them. */
  readonly layers: readonly ReadingsLayer[]
  /** Its own extensions, and those that were named besides. */
  readonly extensions: Extensions
  /** Whether somebody wrote when its story begins: true of no scenario that ships. */
  readonly givesStart: boolean
  /** Refuses wrong readings of its own. @throws ScenarioError with every one */
  checkReadings(): void
  /**
   * Fills its mailboxes, and compiles its story; with a `start`, everything in it that is dated is moved along.
   * @throws ScenarioError with every problem in it
   */
  load(onProgress?: OnProgress, start?: number): Promise<LoadedScenario>
}

/** How a scenario is opened. */
export interface OpenOptions {
  /** Used instead of the scenario's own. */
  readonly seed: number | undefined
  readonly note: NoteFile
  /** Folders whose files it may name besides those of its project. */
  readonly allowFiles: readonly string[]
  /** Whether it comes from somebody who may not read this machine, and may name nothing but what ships. */
  readonly shippedOnly: boolean
  readonly onWarning?: ((warning: string) => void) | undefined
  /** Extensions that somebody names besides the scenario's own. */
  readonly extend: readonly ExtensionSource[]
}

/** Opens a scenario that stands in a file. @throws ScenarioError */
export async function openFound(found: ScenarioSource, options: OpenOptions): Promise<OpenedScenario> {
  const read = await readFound(found, options.seed, options.note, options.extend.length > 0)
  return open(found.ships === undefined ? read : { ...read, givesStart: false }, options)
}

/** Opens what `defineScenario` gave. @throws ScenarioError */
export async function openDefinition(
  definition: ScenarioDefinition,
  options: OpenOptions,
): Promise<OpenedScenario> {
  return open(await readDefinition(definition, options.seed), options)
}

async function open(
  read: ReadScenario,
  { seed: wanted, note, allowFiles, shippedOnly, onWarning, extend }: OpenOptions,
): Promise<OpenedScenario> {
  const { checked, url, givesStart } = read
  const access = { note, allowed: allowFiles }
  const further = await loadExtensions(extend, { note, from: 'anywhere' })
  const named = await loadExtensions([checked.extend ?? []].flat(), {
    ...access,
    beside: url,
    from: shippedOnly ? 'shipped' : 'project',
  })
  const extensions = joinExtensions([further, named])
  const own = await ownReadings(checked, url, shippedOnly ? 'shipped' : access, extensions.gaps)
  const files = shippedOnly ? shippedFiles() : filesBeside(url, access)
  const seed = wanted ?? checked.seed
  return {
    layers: own.layers,
    givesStart,
    extensions,
    checkReadings: () => refuseIf(own.problems, read),
    async load(onProgress, start) {
      const options = { seed, start, files, extensions, problems: own.problems, onProgress }
      const compiled = await compileScenario(checked, options)
      for (const warning of compiled.warnings) onWarning?.(warning)
      refuseIf(compiled.problems, read)
      return {
        scenario: checked.scenario,
        describe: checked.describe ?? '',
        seed,
        start: start ?? compiled.begins,
        base: compiled.base,
        timeline: compiled.timeline,
        ...(compiled.triggered.length > 0 && { triggered: compiled.triggered }),
        bounces: checked.bounces,
        deliveryFormat: checked.delivery_format,
        expectations: compiled.expectations,
      }
    },
  }
}

/** @throws ScenarioError with every problem */
function refuseIf(problems: readonly ProblemAt[], { source, locate }: ReadScenario): void {
  if (problems.length > 0) throw refusal(source, locate, problems)
}
