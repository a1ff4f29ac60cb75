import { type Answer, describeExchange, type LiveRequest } from '../answer.js'
import { onlyOf, type Probe } from './probe.js'
import type { Ask, Survey } from './survey.js'

/** What is known about a gap. */
export interface Finding {
  /** The only assumption under which a service answers so; undefined if that is unclear. */
  readonly assumption: string | undefined
  /** The exchanges that show it, or why it is unclear. */
  readonly because: string
}

/** Returns what answers show, if they fit one assumption only. */
export function findingOf(fitting: readonly string[], answers: readonly Answer[]): Finding {
  const assumption = onlyOf(fitting)
  const seen = answers.map(describeExchange).slice(0, 3).join('; ')
  return {
    assumption,
    because: assumption === undefined ? `several assumptions fit, or none: ${seen}` : seen,
  }
}

/** Says why a gap is unclear. */
export function unclear(because: string): Finding {
  return { assumption: undefined, because }
}

/** Asks what a probe needs, and returns what the answers show. @throws LiveError */
export async function findingFrom({ requests, classify }: Probe, survey: Survey, ask: Ask): Promise<Finding> {
  const wanted = requests(survey)
  if (typeof wanted === 'string') return unclear(wanted)
  const answers: Answer[] = []
  for (const request of wanted) answers.push(await ask(request))
  const claim = classify(answers, survey)
  return findingOf(claim === undefined ? [] : [claim], answers)
}

/** Returns the requests of probes, as far as there is what they are made from. */
export function requestsOf(probes: readonly Probe[], survey: Survey): LiveRequest[] {
  const all = probes.map(({ requests }) => requests(survey))
  return all.flatMap((requests) => (typeof requests === 'string' ? [] : requests))
}
