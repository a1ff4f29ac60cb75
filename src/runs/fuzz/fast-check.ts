import type { Story } from '../../story/overlays/story.js'
import type { ScenarioDefinition } from '../../story/read/define-scenario.js'
// First, since other modules need it when they are loaded.
import '../../base/platform.js'
import * as fc from 'fast-check'
import { checkOptions, checkText, defineOptions, option } from '../../base/options.js'
import { type ListeningSimulator, listen } from '../../doors/interceptor/node.js'
import { createSimulator } from '../../doors/simulator/create-simulator.js'
import { requestedLayers } from '../../doors/simulator/scenario-loader.js'
import type { Simulator } from '../../doors/simulator/simulator.js'
import type { Fault } from '../../service/faults/fault.js'
import { FuzzedScenario } from './fuzzed-scenario.js'
import { faultEffects } from './kinds/faults.js'
import { anyPool, describeElement, type PlanElement, type Pool, subjectOf } from './kinds/kinds.js'
import { mailBodies } from './kinds/mail.js'
import { defaultKinds, type Vary } from './kinds/vary.js'

export { violations } from '../../doors/simulator/violations.js'
export type { AssumptionElement } from './kinds/assumptions.js'
export type { DeliveryElement } from './kinds/deliveries.js'
export type { FaultElement } from './kinds/faults.js'
export type { PlanElement } from './kinds/kinds.js'
export type { MailElement } from './kinds/mail.js'
export type { SizeElement } from './kinds/sizes.js'
export type { TimingElement } from './kinds/timing.js'
export type { Vary } from './kinds/vary.js'

/** Options of `plans`. */
export interface PlansOptions {
  /** The name of a shipped scenario, a path, or the result of `defineScenario`; `support-desk` by default. */
  readonly scenario?: string | ScenarioDefinition
  /** The kinds of elements in plans; all by default. */
  readonly vary?: readonly Vary[]
  /** The maximum number of elements in a plan; 3 by default. */
  readonly maxElements?: number
}

/** An element by its position in its kind; the elements are known once the scenario is loaded. */
interface Pick {
  readonly kind: Vary
  readonly place: number
}

/** The state that the plans of one arbitrary share. */
type Loaded = Promise<{
  readonly scenario: FuzzedScenario
  readonly pool: Pool
  readonly simulator: Simulator
}>

/** A story with some changes, for a client in this process. */
export class Plan {
  readonly #picks: readonly Pick[]
  readonly #load: () => Loaded
  #elements: readonly PlanElement[] | undefined

  /** Made by `plans()`. @internal */
  constructor(picks: readonly Pick[], load: () => Loaded) {
    this.#picks = picks
    this.#load = load
  }

  /** Returns the changes, as data. @throws ScenarioError */
  async elements(): Promise<readonly PlanElement[]> {
    const { pool } = await this.#load()
    const picked = this.#picks.flatMap(({ kind, place }) => pool[kind][place % pool[kind].length] ?? [])
    this.#elements ??= [...new Map(picked.map((element) => [subjectOf(element), element])).values()]
    return this.#elements
  }

  /** Simulates the service with this story in this process, on a frozen clock, until `close()`. @throws ScenarioError */
  async listen(): Promise<ListeningSimulator> {
    return listen({ initialState: await this.#story() })
  }

  /**
   * Creates a world with this story, with `handlers` for your own `setupServer`; its `apiKey` selects it, and `close()`
   * closes it.
   * @throws ScenarioError
   */
  async simulate(): Promise<Simulator> {
    const { scenario, simulator } = await this.#load()
    // A world of one simulator costs less than a simulator.
    return simulator.addWorld({ initialState: await this.#storyOf(scenario) })
  }

  /** Describes the changes once the plan was played; fast-check shows this for a failing plan. */
  toString(): string {
    const words = this.#elements?.map(describeElement) ?? this.#picks.map(({ kind }) => kind)
    return `plan: ${words.length === 0 ? 'no change' : words.join('; ')}`
  }

  /** Describes the plan for fast-check. */
  [fc.toStringMethod](): string {
    return this.toString()
  }

  async #story(): Promise<Story> {
    return this.#storyOf((await this.#load()).scenario)
  }

  async #storyOf(scenario: FuzzedScenario): Promise<Story> {
    return scenario.stateOf(await this.elements(), scenario.initialState.expectations)
  }
}

const plansOptions = defineOptions<PlansOptions>(() => ({
  scenario: option.either(option.text(), option.object(), option.callback()),
  vary: option.list(),
  maxElements: option.count(),
}))

/**
 * Generates stories of a scenario with some changes: other assumptions, faults, mail at a request, and so on.
 * @throws TypeError for unknown options
 * @example await fc.assert(fc.asyncProperty(plans({ scenario: 'desk.yaml' }), async (plan) => {
 *   const mailbox = await plan.listen()
 *   try { await agent(mailbox); expect(violations(mailbox)).toEqual([]) } finally { mailbox.close() }
 * }))
 */
export function plans(options: PlansOptions = {}): fc.Arbitrary<Plan> {
  checkOptions('plans', options, plansOptions)
  const { scenario: name = 'support-desk', vary = defaultKinds, maxElements = 3 } = options
  if (vary.length === 0)
    throw new TypeError(`plans: vary is empty; expected at least one of ${defaultKinds.join(', ')}.`)
  for (const kind of vary) checkText('plans: vary', kind, defaultKinds)
  let loaded: Loaded | undefined
  const load = (): Loaded => {
    loaded ??= loadScenarioOfPlans(name, options.vary)
    return loaded
  }
  const pick = fc.record({ kind: fc.constantFrom(...vary), place: fc.nat({ max: 999 }) })
  return fc.array(pick, { maxLength: maxElements }).map((picks) => new Plan(picks, load))
}

async function loadScenarioOfPlans(
  name: string | ScenarioDefinition,
  named: PlansOptions['vary'],
): Promise<Awaited<Loaded>> {
  const scenario = await FuzzedScenario.load(name, { assumptions: requestedLayers(undefined) })
  const simulator = await createSimulator({ initialState: scenario.initialState })
  const { document, initialState } = scenario
  const pool = anyPool({ document, initialState, named })
  // All together, because compiling each message when it is needed costs ten times as much.
  await scenario.compile(pool.mail)
  return { scenario, pool, simulator }
}

/** Generates fault rules, for `sim.faults.add`. */
export function faults(): fc.Arbitrary<Fault> {
  const operation = fc.constantFrom('threads.list', 'messages.list', 'identities.get', 'identities.update')
  const effect = fc.constantFrom(...faultEffects)
  return fc.tuple(operation, effect, fc.nat({ max: 3 })).map(([name, setting, after]) => {
    return { operation: name, ...setting, ...(after > 0 && { after }) } as Fault
  })
}

/** Mail for `sim.mail.receive`, without its recipient. */
export interface GeneratedMail {
  readonly from: string
  readonly subject: string
  readonly text?: string
  readonly html?: string
}

const huge: (typeof mailBodies)['huge'] = { text: 'This is a very long mail. '.repeat(1200) }

/** Generates mail: plain, empty, HTML only, huge, with odd characters or any text. */
export function mails(): fc.Arbitrary<GeneratedMail> {
  const from = fc.constantFrom('Ann Lee <ann@example.com>', 'Kim Park <kim@elsewhere.example>')
  const subject = fc.constantFrom('A question', 'Re: A question', '', 'Żółć 東京')
  const body = fc.oneof(
    fc.constantFrom(...Object.values({ ...mailBodies, huge }).map(({ text, html }) => ({ text, html }))),
    fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => ({ text, html: undefined })),
  )
  return fc.tuple(from, subject, body).map(([sender, title, { text, html }]) => ({
    from: sender,
    subject: title,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
  }))
}
