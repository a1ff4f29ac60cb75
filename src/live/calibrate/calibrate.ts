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
import { mailProbes } from './mail-probes.js'
import { type Finding, findingFrom } from './probe.js'
import { requestProbes } from './request-probes.js'
import { type Ask, allMessages, allWebhooks, lookAround, type Survey, surveyOf, threadsOf } from './survey.js'
import { probeWrites, writeProbes } from './write-probes.js'

/** All probes that only read, in order. */
const readProbes = [...requestProbes, ...mailProbes]

/** The options of a calibration. */
interface CalibrateOptions extends ClientOptions {
  /** The agent to ask about; by default one that the mail shows. */
  readonly agent?: string | undefined
  /** Whether the identity of that agent may be updated. */
  readonly allowWrites: boolean
}

/** The assumptions of a file, by gap. */
type Choices = Readonly<Record<string, string>>

/** The result of a calibration. */
export interface Calibration {
  /** One for each gap, in the order of the register. */
  readonly findings: readonly Finding[]
  /** The number of requests. */
  readonly requests: number
  /** Why it stopped early; undefined if it completed. */
  readonly stopped: LiveError | undefined
  /** The thread that was unread and may be read now, which cannot be undone. */
  readonly read: unknown
}

/** Finds out by requests how a service settles the gaps. @throws LiveError if it cannot begin */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const client = new ServiceClient(options)
  const ask = askOnce(client)
  const survey = await lookAround(ask, options.agent)
  const found = new Map<GapId, Finding>()
  let isSteady = false
  let stopped: LiveError | undefined
  try {
    for (const probe of readProbes) found.set(probe.gap, await findingFrom(probe, survey, ask))
    isSteady = await isUnchanged(client, survey, ask)
    if (options.allowWrites) await probeWrites(client, survey, found)
  } catch (error) {
    if (!(error instanceof LiveError)) throw error
    stopped = error
  }
  if (!isSteady) {
    // It would mislead what compares lists.
    for (const { gap } of mailProbes) found.set(gap, { gap, because: 'mail may have arrived meanwhile' })
  }
  const findings = gapIds.map((gap) => found.get(gap) ?? { gap, because: whyUnknown(gap, stopped) })
  const after = found.get('threads.unread-after-read')
  const isAsked = after !== undefined && after.assumption !== 'stays-unread'
  return { findings, requests: client.sent, stopped, read: isAsked ? survey.unread?.['id'] : undefined }
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

/** Lists the requests that a calibration may send, in order. */
export function planOf(options: Omit<CalibrateOptions, 'apiKey'>): string {
  const { baseUrl, agent = 'AGENT', rate, maxRequests, allowWrites } = options
  const agents = [agent, 'OTHER'].map((handle) => {
    return { handle, mailbox: `MAILBOX-OF-${handle}`, description: '…' }
  })
  const survey = { ...surveyOf(agents, []), unread: { id: 'ID-OF-AN-UNREAD-THREAD' } }
  const probes = allowWrites ? [...readProbes, ...writeProbes] : readProbes
  const requests = [
    ...[allMessages, allWebhooks, ...agents.map(({ handle }) => identityRequest(handle))],
    ...probes.map(({ requests }) => requests(survey)).filter((some) => typeof some !== 'string'),
    get('mail/messages', { thread_id: 'ID-OF-A-READ-THREAD', limit: 100 }),
  ]
  return [
    `To ${baseUrl}, at most ${maxRequests} requests, ${rate} a second. OTHER is a second agent. Up to four more identities`,
    `and one attachment, without a key, may be asked for.${allowWrites ? ' The identity is restored after each update.' : ''}`,
    '',
    ...new Set(requests.flat().map((request) => `  ${describeRequest(request)}`)),
    '',
    'Nothing was sent.',
    '',
  ].join('\n')
}

/** Returns whether a gap is settled in another way than a file says; what is unclear contradicts nothing. */
export function isChange({ gap, assumption }: Finding, before: Choices | undefined): boolean {
  const was = before?.[gap]
  return was !== undefined && assumption !== undefined && assumption !== was
}

/** Formats a calibration for people; `before` is what the file of `--check` says, if there is one. */
export function formatCalibration(
  { findings, requests, stopped, read }: Calibration,
  baseUrl: string,
  before: Choices | undefined,
): string {
  const learned = findings.filter(({ assumption }) => assumption !== undefined)
  const changed = findings.filter((finding) => isChange(finding, before))
  const width = Math.max(...findings.map(({ gap }) => gap.length))
  const line = (mark: string, gap: GapId, text: string): string => `  ${mark} ${gap.padEnd(width)}  ${text}`
  return [
    `${learned.length} of ${counted(findings.length, 'gap')} learned with ${counted(requests, 'request')} to ${baseUrl}`,
    ...(stopped ? ['', `It stopped early: ${stopped.message}`] : []),
    ...(before
      ? ['', changed.length === 0 ? 'Nothing contradicts the file.' : 'The file is contradicted:']
      : []),
    ...changed.map(({ gap, because }) => line('✗', gap, `was ${before?.[gap]}: ${oneLine(because)}`)),
    '',
    ...learned.map(({ gap, assumption = '' }) => line('✓', gap, assumption)),
    ...findings.flatMap(({ gap, assumption, because }) => {
      return assumption === undefined ? line('?', gap, `unclear: ${oneLine(because)}`) : []
    }),
    ...(read === undefined ? [] : ['', `NOT RESTORED: the thread ${read} was unread and may be read now.`]),
    '',
  ].join('\n')
}

/** Formats a file of assumptions with the exchanges that show each. */
export function formatLiveAssumptions(calibration: Calibration, baseUrl: string, at: string): string {
  const { findings, requests } = calibration
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
