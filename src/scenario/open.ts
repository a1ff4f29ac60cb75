import { type Extensions, joinExtensions } from '../contract/extensions.js'
import type { DeliveryFormat, InitialState, ReadingsLayer } from '../world/index.js'
import type { OnProgress } from './compile/compilation.js'
import { compileScenario } from './compile/compile.js'
import type { ScenarioDefinition } from './define-scenario.js'
import { type ProblemAt, refusal } from './problems/problem.js'
import { type ExtensionSource, loadExtensions } from './source/extension-files.js'
import { filesBeside, type NoteFile, shippedFiles } from './source/files.js'
import type { ScenarioSource } from './source/find-scenario.js'
import { checkScenario, readDefinition, readFound, type WrittenScenario } from './source/read-scenario.js'
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

/** What may stand in for what the scenario says, and who is told of its files. */
export interface LoadOptions {
  readonly seed?: number | undefined
  /** The instant the story begins, instead of the scenario's own, in milliseconds since the epoch. */
  readonly start?: number | undefined
  /** The same for a scenario that ships, or whose file names no start. */
  readonly startOtherwise?: number | undefined
  /** Readings that count for more than the scenario's own; the later, the more. */
  readonly readings?: readonly ReadingsLayer[] | undefined
  /**
   * Told of every file and folder the scenario is made of, once each and also where loading fails: its own, the
   * modules and files it names, and files of readings. One that is missing is among them.
   */
  readonly onFile?: NoteFile | undefined
  /**
   * Whether it comes from somebody who may not read this machine: it is the name of a shipped scenario then, or
   * an object that names shipped files alone.
   */
  readonly shippedOnly?: boolean | undefined
  /**
   * Folders whose files the scenario may name besides those of its project: the nearest folder at or above it that
   * has a `.git`, a `package.json` or the like, or else its own folder. An object is code and names any file.
   */
  readonly allowFiles?: readonly string[] | undefined
  /** Told how far loading is, every few thousand messages and at the end. */
  readonly onProgress?: OnProgress | undefined
  /** Told of what can be used and hardly is what was meant: a file that should be a mail and looks like none. */
  readonly onWarning?: ((warning: string) => void) | undefined
  /** Put on the delivery format that the scenario has. */
  readonly deliveryFormat?: DeliveryFormat | undefined
  /** Extensions besides those the scenario names. */
  readonly extend?: readonly ExtensionSource[] | undefined
}

/** How a scenario is opened. */
export type OpenOptions = Omit<LoadOptions, 'start' | 'startOtherwise' | 'readings' | 'onFile'> & {
  readonly note: NoteFile
}

/** Opens a scenario that stands in a file, or what `defineScenario` gave. @throws ScenarioError */
export async function openScenario(
  scenario: { readonly found: ScenarioSource } | { readonly definition: ScenarioDefinition },
  { seed: wanted, note, allowFiles: allowed = [], shippedOnly = false, onWarning, extend = [] }: OpenOptions,
): Promise<OpenedScenario> {
  const written =
    'found' in scenario
      ? await readFound(scenario.found, wanted, note)
      : await readDefinition(scenario.definition, wanted)
  const checked = await checkScenario(written, extend.length > 0 ? true : undefined)
  const { url } = written
  const ships = 'found' in scenario && scenario.found.ships !== undefined
  const access = { note, allowed }
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
    givesStart: !ships && (written.value as { start?: unknown }).start !== undefined,
    extensions,
    checkReadings: () => refuseIf(own.problems, written),
    async load(onProgress, start) {
      const options = { seed, start, files, extensions, problems: own.problems, onProgress }
      const compiled = await compileScenario(checked, options)
      for (const warning of compiled.warnings) onWarning?.(warning)
      refuseIf(compiled.problems, written)
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
function refuseIf(problems: readonly ProblemAt[], { source, locate }: WrittenScenario): void {
  if (problems.length > 0) throw refusal(source, locate, problems)
}
