import { invocation } from '../../base/package.js'
import { counted, truncate } from '../../base/text.js'
import { type GapId, gapIds, gaps } from '../../contract/gaps.js'
import {
  type Answer,
  type ClientOptions,
  describeRequest,
  get,
  identityRequest,
  LiveError,
  ServiceClient,
} from '../service-client.js'
import { messageProbes } from './message-probes.js'
import { type Finding, findingFrom, unclear } from './probe.js'
import { requestProbes, webhookProbes } from './request-probes.js'
import { type Ask, allMessages, allWebhooks, lookAround, manyMessages, Survey, threadsOf } from './survey.js'
import { threadProbes } from './thread-probes.js'
import { probeWrites, writeProbes } from './write-probes.js'

/** All probes that only read, in order. */
const readProbes = [...requestProbes, ...threadProbes, ...messageProbes, ...webhookProbes]

/** The options of a calibration. */
interface CalibrateOptions extends ClientOptions {
  /** The agent to ask about; by default one that the mail shows. */
  readonly agent?: string | undefined
  /** Whether the identity of that agent may be updated. */
  readonly allowWrites: boolean
}

/** The result of a calibration. */
export interface Calibration {
  /** One for each gap, in the order of the register. */
  readonly findings: readonly (Finding & { readonly gap: GapId })[]
  /** The number of requests. */
  readonly requests: number
  /** Why it stopped early; undefined if it completed. */
  readonly stopped: LiveError | undefined
  /** Further notes for the user, in sentences. */
  readonly notes: readonly string[]
}

/** Finds out by requests how a service settles the gaps. @throws LiveError if it cannot begin */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const client = new ServiceClient(options)
  const ask = askOnce(client)
  const survey = await lookAround(ask, options.agent)
  const found = new Map<GapId, Finding>()
  const notes: string[] = []
  let isSteady = false
  let stopped: LiveError | undefined
  try {
    for (const probe of readProbes) found.set(probe.gap, await findingFrom(probe, survey, ask))
    isSteady = await isUnchanged(client, survey, ask)
    if (options.allowWrites) await probeWrites({ client, survey, found, notes })
  } catch (error) {
    if (!(error instanceof LiveError)) throw error
    stopped = error
  }
  if (!isSteady) {
    // It would mislead what compares lists.
    for (const { gap } of [...threadProbes, ...messageProbes]) {
      found.set(gap, unclear('mail may have arrived meanwhile'))
    }
  }
  const findings = gapIds.map((gap) => ({ gap, ...(found.get(gap) ?? unclear(whyUnknown(gap, stopped))) }))
  return { findings, requests: client.sent, stopped, notes }
}

/** Returns a function that sends each request once. */
function askOnce(client: ServiceClient): Ask {
  const answers = new Map<string, Answer>()
  return async (request) => {
    const name = JSON.stringify(request)
    const answer = answers.get(name) ?? (await client.send(request))
    answers.set(name, answer)
    return answer
  }
}

/** Returns whether the lists that others were compared with are still the same. */
async function isUnchanged(client: ServiceClient, { agent }: Survey, ask: Ask): Promise<boolean> {
  for (const request of [allMessages, ...(agent ? [threadsOf(agent)] : [])]) {
    if ((await client.send(request)).text !== (await ask(request)).text) return false
  }
  return true
}

function whyUnknown(gap: GapId, stopped: LiveError | undefined): string {
  const need = gaps[gap].learnedBy
  if (need === 'none') return 'no request of a client shows it'
  if (need === 'by-hand')
    return 'a delivery, or many requests, show it: docs/live-service.md says what to look at'
  return stopped ? 'the run stopped before' : 'it needs --allow-writes --agent HANDLE'
}

/** The options of a dry run. */
type PlanOptions = Pick<CalibrateOptions, 'baseUrl' | 'agent' | 'rate' | 'maxRequests' | 'allowWrites'>

/** Lists the requests that a calibration may send, in order. */
export function planOf({ baseUrl, agent = 'AGENT', rate, maxRequests, allowWrites }: PlanOptions): string {
  const agents = [agent, 'OTHER'].map((handle) => ({
    handle,
    mailbox: `MAILBOX-OF-${handle}`,
    description: '…',
  }))
  const survey = new Survey(agents, [])
  const ofProbes = [...readProbes, ...(allowWrites ? writeProbes : [])].map(({ requests }) =>
    requests(survey),
  )
  const requests = [
    ...[allMessages, allWebhooks, manyMessages, ...agents.map(({ handle }) => identityRequest(handle))],
    ...ofProbes.flatMap((some) => (typeof some === 'string' ? [] : some)),
    get('mail/messages', { thread_id: 'ID-OF-A-READ-THREAD', limit: 100 }),
    ...(allowWrites ? [get('mail/messages', { thread_id: 'ID-OF-AN-UNREAD-THREAD', limit: 1 })] : []),
  ]
  return [
    `To ${baseUrl}, at most ${maxRequests} requests, ${rate} a second. OTHER is a second agent. Up to four more identities`,
    `and one attachment, without a key, may be asked for.${allowWrites ? ' The identity is restored after each update.' : ''}`,
    '',
    ...new Set(requests.map((request) => `  ${describeRequest(request)}`)),
    '',
    'Nothing was sent.',
    '',
  ].join('\n')
}

/** A gap that a service settles in another way than a file says. */
type Drift = Calibration['findings'][number] & { readonly before: string }

/** Returns what differs from the assumptions of a file; what is unclear does not. */
export function driftFrom(before: Readonly<Record<string, string>>, { findings }: Calibration): Drift[] {
  return findings.flatMap((finding) => {
    const known = before[finding.gap]
    const isOther = known !== undefined && finding.assumption !== undefined && finding.assumption !== known
    return isOther ? [{ ...finding, before: known }] : []
  })
}

/** Formats a calibration for people; `drift` is what differs from the file of `--check`, if there is one. */
export function formatCalibration(
  { findings, requests, stopped, notes }: Calibration,
  baseUrl: string,
  drift: readonly Drift[] | undefined,
): string {
  const learned = findings.filter(({ assumption }) => assumption !== undefined)
  const unclear = findings.filter(({ assumption }) => assumption === undefined)
  const width = Math.max(...findings.map(({ gap }) => gap.length))
  const changed = drift?.map(({ gap, before, assumption, because }) => {
    return `  ✗ ${gap} was ${before}, and is ${assumption}\n      ${oneLine(because)}`
  })
  return [
    `${learned.length} of ${counted(findings.length, 'gap')} learned with ${counted(requests, 'request')} to ${baseUrl}`,
    ...(stopped ? ['', `It stopped early: ${stopped.message}`] : []),
    ...(changed
      ? [
          '',
          changed.length === 0
            ? 'Nothing contradicts the file.'
            : `${counted(changed.length, 'assumption')} changed:`,
          ...changed,
        ]
      : []),
    '',
    ...learned.map(({ gap, assumption }) => `  ✓ ${gap.padEnd(width)}  ${assumption}`),
    ...unclear.map(({ gap, because }) => `  ? ${gap.padEnd(width)}  unclear: ${oneLine(because)}`),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
  ].join('\n')
}

/** Formats a file of assumptions with the exchanges that show each. */
export function formatLiveAssumptions(
  { findings, requests }: Calibration,
  baseUrl: string,
  at: string,
): string {
  const learned = findings.filter(({ assumption }) => assumption !== undefined)
  const lines = learned.flatMap(({ gap, assumption, because }) => [
    `  # ${oneLine(because)}`,
    `  ${gap}: '${assumption}'`,
  ])
  return [
    `# How ${oneLine(baseUrl)} settles the points that its interface leaves open: ${learned.length} of ${findings.length} gaps,`,
    `# learned by agent-mailbox-sim calibrate with ${counted(requests, 'request')}, ${at}.`,
    `# The others have their default assumption. To serve with this file: ${invocation} --assume <this file>`,
    learned.length === 0 ? 'assume: {}' : 'assume:',
    ...lines,
    '',
  ].join('\n')
}

/** Formats foreign text in one line of limited length: control characters could end a comment or hide text. */
function oneLine(text: string): string {
  return truncate(text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' '), 300)
}
