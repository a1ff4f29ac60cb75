import { noExtensions } from '../../contract/extensions.js'
import type { Assumptions } from '../../contract/gaps.js'
import type { Expectation } from '../../story/expectations/kinds.js'
import type { ScenarioInput } from '../../story/format/scenario.js'
import { loadScenario } from '../../story/load.js'
import type { LoadOptions } from '../../story/open.js'
import type { Story, StoryOverlay } from '../../story/overlays/story.js'
import { writtenWith } from '../../story/overlays/written.js'
import type { ScenarioDefinition } from '../../story/read/define-scenario.js'
import { readScenarioDocument } from '../../story/read/document.js'
import { overlayOf, type PlanElement } from './kinds/kinds.js'

/** The assumption under which a repeated request with the same key has no effect. */
const honoredKeys = { gap: 'common.idempotency', assumption: 'replayed' } as const

/** How the scenario of plans is loaded. */
export type FuzzedOptions = Pick<LoadOptions, 'seed' | 'start' | 'assumptions' | 'extend'>

/**
 * A scenario over whose story plans are laid. Everything that an element needs is loaded once and shared by all
 * plans.
 */
export class FuzzedScenario {
  readonly initialState: Story
  /** The scenario as it is written. */
  readonly document: ScenarioInput
  readonly #reloaded = new Map<string, Promise<Story>>()
  readonly #assumptions = new Map<string, Assumptions>()

  private constructor(initialState: Story, document: ScenarioInput) {
    this.initialState = initialState
    this.document = document
  }

  /** Loads a scenario. @throws ScenarioError, WorldError */
  static async load(
    scenario: string | ScenarioDefinition,
    { seed, ...options }: FuzzedOptions = {},
  ): Promise<FuzzedScenario> {
    const loading = { ...options, seed, loadedExtensions: new Map() }
    const story = rememberingBodies(await loadScenario(scenario, loading))
    return new FuzzedScenario(story, await readScenarioDocument(scenario, seed))
  }

  /**
   * Returns the scenario for a client that sends an `Idempotency-Key` with what must not happen twice: such a client did what it
   * can, so a service that ignores keys is not what it is tried with, unless somebody chose that. Undefined if nothing changes.
   */
  async honoringKeys(): Promise<FuzzedScenario | undefined> {
    const { extensions = noExtensions, origins } = this.initialState
    const from = (origins as Readonly<Record<string, string>>)[honoredKeys.gap] ?? 'default'
    if (!extensions.gaps.has(honoredKeys.gap) || from !== 'default') return undefined
    const layer = { from: 'fuzz', input: { [honoredKeys.gap]: honoredKeys.assumption } } as const
    return new FuzzedScenario(await this.initialState.lay({ assumptions: [layer] }), this.document)
  }

  /** Returns the story with the elements of a plan and the given expectations. */
  async stateOf(elements: readonly PlanElement[], expectations: readonly Expectation[]): Promise<Story> {
    const { assumptions: choices, mailboxes, forms, ...overlay } = overlayOf(elements)
    const base = mailboxes || forms ? await this.#reloadedWith({ mailboxes, forms }) : this.initialState
    const layers = choices && [{ from: 'scenario', input: choices }]
    const laid = await base.lay({ ...overlay, assumptions: layers, isIndependent: true })
    const { assumptions } = laid
    return {
      ...laid,
      // Equal assumptions are one object, since rendered rows are cached by it.
      assumptions: remembered(this.#assumptions, JSON.stringify(assumptions), () => assumptions),
      expectations,
    }
  }

  /** Returns the scenario document with the elements of a plan. */
  documentOf(elements: readonly PlanElement[], expect: NonNullable<ScenarioInput['expect']>): ScenarioInput {
    const { seed, assumptions: present, origins } = this.initialState
    const chosen = Object.entries(present).filter(([gap]) => origins[gap as never] !== 'default')
    const { expect: _, assume: _assume, scenario, describe, timeline, ...document } = this.document
    const written = {
      scenario,
      ...(describe !== undefined && { describe }),
      ...document,
      seed,
      ...(chosen.length > 0 && { assume: Object.fromEntries(chosen) }),
      // This story failed, whatever the environment chooses later.
      fixed_assumptions: true,
      ...(timeline && { timeline }),
    } as ScenarioInput
    return writtenWith(written, { ...overlayOf(elements), expect })
  }

  /** Compiles the entries of elements for all plans that have them. */
  async compile(elements: readonly PlanElement[]): Promise<void> {
    await this.stateOf(elements, [])
  }

  /** Loads the scenario with other sizes of its initial mailboxes, or with messages in other forms. */
  #reloadedWith(changes: Pick<StoryOverlay, 'mailboxes' | 'forms'>): Promise<Story> {
    const { mailboxes = {}, forms = [] } = changes
    const parts = [Object.entries(mailboxes).sort(), forms.map((one) => JSON.stringify(one)).sort()]
    const [oldest] = this.#reloaded.keys()
    if (this.#reloaded.size >= mostReloaded && oldest !== undefined) this.#reloaded.delete(oldest)
    return remembered(this.#reloaded, JSON.stringify(parts), async () => {
      return rememberingBodies(await this.initialState.lay(changes))
    })
  }
}

/** The most stories with other mailboxes or messages that are kept. */
const mostReloaded = 100

/** Returns the value of a key, which is created at the first call. */
function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

/**
 * The maximum number of generated bodies that are cached, so that a large mailbox does not fill the memory.
 */
const rememberedBodies = 5_000

/** Returns a story that caches its generated bodies, which every plan reads again. */
function rememberingBodies(story: Story): Story {
  const { bodies } = story.base
  const known = new Map<string, ReturnType<typeof bodies>>()
  const remembering: typeof bodies = (key) => {
    const body = known.get(key) ?? bodies(key)
    if (known.size < rememberedBodies) known.set(key, body)
    return body
  }
  return { ...story, base: { ...story.base, bodies: remembering } }
}
