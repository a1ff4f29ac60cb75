import type { Need } from '../contract/gaps.js'
import { counted } from '../contract/text.js'
import { analyse } from './analysis.js'
import { describeRequest } from './exchange.js'
import type { KnownAgent } from './mailbox-view.js'
import { firstLook, type Known, lookAt, type Probe, readProbes } from './reads.js'
import { plannedUpdates } from './writes.js'

/** What a plan is made for. */
export interface PlanOptions {
  readonly baseUrl: string
  readonly agent: string | undefined
  readonly needs: ReadonlySet<Need>
  readonly rate: number
  readonly maxRequests: number
}

/** Shows what a calibration may send, in order: what one answer settles, a later request need not ask again. */
export function planOf({ baseUrl, agent = 'AGENT', needs, rate, maxRequests }: PlanOptions): string {
  const known = imagined(agent)
  const line = (probe: Probe): string[] => {
    const request = probe.request(known)
    const target = typeof request === 'string' ? undefined : describeRequest(request)
    const shown =
      target ?? (probe.gap && later[probe.gap]) ?? 'GET /api/v1/mail/messages?… (a page not seen yet)'
    return [`${shown}${probe.gap === undefined ? '' : `   # ${probe.gap}`}`]
  }
  const lines = [
    ...firstLook.flatMap(line),
    `${describeRequest(lookAt(agent))}   # and up to four more identities that the mailbox shows`,
    ...readProbes.flatMap(line),
    ...(needs.has('writes') ? writing(agent) : []),
    ...(needs.has('burst')
      ? ['GET /api/v1/mail/messages?limit=1   # limits.rate: up to 65 times, as fast as it goes']
      : []),
    ...(needs.has('deliveries')
      ? ['GET /api/v1/webhooks   # again now and then, while deliveries are received and answered: events.*']
      : []),
  ]
  const unique = [...new Set(lines)]
  return [
    `To ${baseUrl}, at most ${counted(maxRequests, 'request')}, ${rate} a second. AGENT and OTHER stand for agents,`,
    'MAILBOX for an address, ID for what the mailbox shows. What is settled already is not asked again.',
    '',
    ...unique.map((text) => `  ${text}`),
    '',
    'Nothing was sent.',
    '',
  ].join('\n')
}

const later: Readonly<Partial<Record<string, string>>> = {
  'messages.order': 'GET /api/v1/mail/messages?thread_id=ID&limit=100 (of a thread that is read)',
  'threads.snippet': 'GET /api/v1/mail/messages?thread_id=ID&limit=100 (of a thread that is read)',
  'messages.attachment-url': 'GET the URL of an attachment, without a key',
  'webhooks.agent-filter-unscoped': 'GET /api/v1/webhooks?agent=AGENT (by the name that the filter has)',
}

/** What a plan knows before anything was asked. */
function imagined(handle: string): Known {
  const analysis = analyse([])
  const agentOf = (name: string, mailbox: string): KnownAgent => ({ handle: name, mailbox, identity: {} })
  const agent = agentOf(handle, 'MAILBOX')
  const other = agentOf('OTHER', 'MAILBOX-OF-OTHER')
  return { ...analysis, agent, other }
}

function writing(agent: string): string[] {
  const updates = plannedUpdates(agent).map(([gap, request]) => {
    return `${describeRequest(request)}${gap === undefined ? '' : `   # ${gap}`}`
  })
  return [
    'OPTIONS /api/v1/webhooks   # errors.method-not-allowed',
    ...updates,
    'GET /api/v1/mail/messages?thread_id=ID&limit=1 (of an unread thread)   # threads.unread-after-read',
  ]
}
