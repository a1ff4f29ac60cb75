import { storyNames } from '../shipped-scenarios/story.js'

/** A scenario whose answers are recorded. */
export interface RecordedScenario {
  /** Its heading in the record. */
  readonly name: string
  /** What the option `scenario` takes. */
  readonly source: string
  /** Whether all attacks of the scenario are laid over its story. */
  readonly attacked: boolean
  /** Whether it has the operations of `common`, so that its agent can send mail. */
  readonly sends: boolean
}

const sending = ['prompt-injection', 'refund-conversation']

/** Every scenario that ships, those of the example agents, and one under attack. */
export const recordedScenarios: readonly RecordedScenario[] = [
  ...storyNames.map((name) => ({ name, source: name, attacked: false, sends: sending.includes(name) })),
  ...['inbox', 'refunds'].map((name) => ({
    name: `examples/agents/${name}`,
    source: `examples/agents/${name}.yaml`,
    attacked: false,
    sends: false,
  })),
  { name: 'prompt-injection under all attacks', source: 'prompt-injection', attacked: true, sends: true },
]

/** What is assumed where the interface is silent: the defaults, the worst for a client, and two drawn choices. */
export const choices = ['default', 'worst-case', 'seed:1', 'seed:2'] as const

/** The scenarios with requests that are refused: what is wrong with them does not depend on the mail. */
export const oddlyAsked: readonly string[] = ['multi-agent', 'refund-conversation', 'support-desk']

/** Where in a story its answers are recorded. */
export const moments = ['before', 'middle', 'after'] as const

/** A moment of a story. */
export type Moment = (typeof moments)[number]

/** Returns the heading of the answers of a scenario at a moment, under one choice of what is assumed. */
export function headingOf({ name }: RecordedScenario, moment: Moment, choice: string): string {
  return `${name}, ${moment}, ${choice}`
}
