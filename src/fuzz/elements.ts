import type { GapId } from '../contract/gaps.js'
import { type AnyOperationName, operations } from '../contract/operations.js'
import type { EventType } from '../contract/resources.js'
import type { ScenarioInput } from '../scenario/index.js'
import type { Fault, Trigger } from '../world/index.js'

/** The kinds of elements, as `--vary` names them. */
export const varyKinds = ['readings', 'faults', 'mail', 'sizes', 'timing', 'deliveries'] as const

/** A kind of element. */
export type Vary = (typeof varyKinds)[number]

/** An entry of a timeline as a scenario writes it. */
export type WrittenEntry = NonNullable<ScenarioInput['timeline']>[number]

/** A request of a client, by its number among those of its operation. */
export interface RequestNumber {
  readonly request: AnyOperationName
  readonly nth: number
}

/** Tells whether requests of an operation change nothing; those of extensions may. */
export function onlyReads(name: AnyOperationName | undefined): boolean {
  const known: Readonly<Record<string, { readonly method: string }>> = operations
  return name !== undefined && known[name]?.method === 'GET'
}

/** One change of a story; plain data. */
export type PlanElement =
  /** Another reading of a gap. */
  | { readonly vary: 'readings'; readonly gap: GapId; readonly reading: string }
  /** Answers that are disturbed, from a request on. */
  | { readonly vary: 'faults'; readonly when: RequestNumber; readonly fault: Fault }
  /** Mail that comes in right before a request is answered. */
  | {
      readonly vary: 'mail'
      readonly when: RequestNumber
      readonly form: MailForm
      readonly receive: NonNullable<WrittenEntry['receive']>
      /** How much of it at that moment; once where it is left out. */
      readonly times?: number
    }
  /** So many threads in a mailbox. */
  | { readonly vary: 'sizes'; readonly identity: string; readonly threads: number; readonly added: number }
  /** An entry of the timeline, by its place in the file, that happens at a request, counted from its time. */
  | ({ readonly vary: 'timing'; readonly when: RequestNumber; readonly how?: undefined } & NamedEntry)
  /** One that happens at the time of another, which happens at its time then, or at the same instant. */
  | ({
      readonly vary: 'timing'
      readonly how: 'swapped' | 'together'
      readonly other: NamedEntry
    } & NamedEntry)
  /** A receiver that is told again of what it was told. */
  | {
      readonly vary: 'deliveries'
      readonly when: Trigger
      readonly event: EventType
      readonly nth: number
      readonly how?: undefined
    }
  /** One that is told late of what an entry of the timeline does, and of others before it. */
  | ({ readonly vary: 'deliveries'; readonly how: 'late'; readonly delay: string } & NamedEntry)

/** An entry of the timeline: its place in the file, and its name. */
export interface NamedEntry {
  readonly entry: number
  readonly name: string
}

/** What is special about mail. */
export type MailForm =
  | 'plain'
  | 'empty'
  | 'html-only'
  | 'huge'
  | 'odd'
  | 'other-address'
  /** Encoded name and body, and no subject. */
  | 'encoded'
  /** Sent long before it comes. */
  | 'late'
  /** An answer, and only at the next request the mail that it answers. */
  | 'answer-first'
  /** The latest mail of a thread once more. */
  | 'again'
  /** More of it at once than a page holds. */
  | 'many'

/** A mail whose answer comes before it. */
export const answeredMail = [
  'From: Kim Park <kim@elsewhere.example>',
  'Subject: A question on its way',
  'Message-ID: <question@elsewhere.example>',
  '',
  'Have you got my first mail?',
].join('\n')

/** Tells whether two elements are the same change. */
export function keyOfElement(element: PlanElement): string {
  return JSON.stringify(element)
}

/** What elements have in common that have the same cause. */
export function shapeOf(element: PlanElement): string {
  return element.vary === 'readings' ? `readings:${element.gap}` : element.vary
}

/** Describes an element in words, e.g. `threads.list fails with 503 (at request 2)`. */
export function describeElement(element: PlanElement): string {
  switch (element.vary) {
    case 'readings':
      return `${element.gap} is read as ${element.reading}`
    case 'faults':
      return `${atRequest(element.when)}, ${describeFault(element.fault)}`
    case 'mail':
      return `${atRequest(element.when)}, ${describeMail(element)}`
    case 'sizes':
      return `the mailbox of ${element.identity} holds ${element.threads} threads`
    case 'timing':
      return describeTiming(element)
    case 'deliveries':
      if (element.how === 'late') return `receivers are told ${element.delay} late of ${inTimeline(element)}`
      return `${atTrigger(element.when)}, delivery ${element.nth} of ${element.event} is made again`
  }
}

function atRequest({ request, nth }: RequestNumber): string {
  return `at request ${nth} of ${request}`
}

function atTrigger(when: Trigger): string {
  if ('request' in when) return atRequest(when)
  return `after delivery ${when.nth} of ${when.delivery} succeeded`
}

function describeFault({ operation, status, retry_after, times, ...effect }: Fault): string {
  const names = Object.keys(effect).filter((name) => name !== 'after')
  const what =
    status === undefined ? `its answer is disturbed (${names.join(', ')})` : `it is answered ${status}`
  const wait = retry_after === undefined ? '' : ` with Retry-After ${retry_after}`
  const often = times === undefined ? 'from then on' : times === 1 ? 'once' : `${times} times`
  return `${what}${wait}, ${often}`
}

function inTimeline({ name }: NamedEntry): string {
  return `what the timeline has as "${name}"`
}

function describeTiming(element: Extract<PlanElement, { vary: 'timing' }>): string {
  const name = inTimeline(element)
  if (element.how === undefined) return `${atRequest(element.when)} from its time on, ${name} happens`
  const other = `"${element.other.name}"`
  return element.how === 'swapped'
    ? `${name} and ${other} change places`
    : `${name} happens at the instant of ${other}`
}

function describeMail({ form, receive, times }: Extract<PlanElement, { vary: 'mail' }>): string {
  const kinds: Readonly<Record<MailForm, string>> = {
    plain: 'mail',
    empty: 'mail without a body',
    'html-only': 'mail with an HTML body only',
    huge: 'huge mail',
    odd: 'mail with odd characters',
    'other-address': 'mail from another address',
    encoded: 'mail with an encoded name and no subject',
    late: 'mail that was sent long ago',
    'answer-first': 'an answer that comes before what it answers',
    again: 'the latest mail',
    many: `mail, ${times} times at once,`,
  }
  const { to, thread, place, subject } = receive
  const where =
    thread !== undefined
      ? `comes into the thread ${thread}`
      : place !== undefined
        ? `comes ${form === 'again' ? 'once more ' : ''}into the thread at place ${place} of ${to}`
        : `begins ${subject === undefined ? 'a thread' : `the thread "${subject}"`} of ${to}`
  return `${kinds[form]} ${where}`
}
