import type { GapId } from '../../contract/gaps.js'
import { editableFields } from '../../service/operations/identities.js'
import {
  type Answer,
  type Fields,
  get,
  identityRequest,
  type LiveRequest,
  objectOf,
  rowsOf,
  words,
} from '../answer.js'
import { LiveError } from '../live-error.js'
import type { ServiceClient } from '../service-client.js'
import { type Finding, findingFrom, findingOf, requestsOf } from './findings.js'
import { defineChoice, isInvalid, type Probe, type Requests, type Sign } from './probe.js'
import { type KnownAgent, type Survey, threadsOf } from './survey.js'

/** What probes that write need. */
interface Writing {
  readonly client: ServiceClient
  readonly survey: Survey
  readonly found: Map<GapId, Finding>
  readonly notes: string[]
}

/** A body size in bytes that one assumption of `limits.body-size` accepts and the other refuses. */
const largeBody = 150_000

/** Returns a body with spaces at its end, so that it is large. */
function padded(body: object): string {
  return `${JSON.stringify(body).slice(0, -1)}${' '.repeat(largeBody)}}`
}

const options: LiveRequest = { method: 'OPTIONS', target: '/api/v1/webhooks', key: 'own' }

/** Returns an update of an identity. */
function update(handle: string, body: object | string, type = 'application/json'): LiveRequest {
  const target = `/api/v1/identities/${encodeURIComponent(handle).replace('%40', '@')}`
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method: 'PATCH', target, key: 'own', headers: { 'content-type': type }, body: text }
}

/** Returns an update of an agent, after and before a look at its identity. */
function change(make: (agent: KnownAgent) => LiveRequest): Requests {
  return ({ agent }) => {
    if (typeof agent?.description !== 'string') return 'the description of the identity is not a text'
    return [identityRequest(agent.handle), make(agent), identityRequest(agent.handle)]
  }
}

/** Returns whether an update succeeded and what it did has a property, given the identity before and after it. */
function did(has: (before: Fields, after: Fields) => boolean): Sign {
  return ([before, answer, after]) => {
    const [was, is] = [before && objectOf(before), after && objectOf(after)]
    return answer?.status === 200 && was !== undefined && is !== undefined && has(was, is)
  }
}

const isRejected: Sign = ([, answer]) => answer && isInvalid(answer)

/** The probes that update the identity of an agent: the identity before, the update, and the identity after it. */
const updateProbes = [
  defineChoice(
    'identities.patch-empty-body',
    change(({ handle }) => update(handle, {})),
    {
      unchanged: did((before, after) => before['updated_at'] === after['updated_at']),
      touched: did((before, after) => before['updated_at'] !== after['updated_at']),
      rejected: isRejected,
    },
  ),
  defineChoice(
    'identities.patch-at-handle',
    change(({ handle, description }) => update(`@${handle}`, { description })),
    {
      'same-identity': did(() => true),
      'not-found': ([, answer]) => answer?.status === 404,
      rejected: isRejected,
    },
  ),
  defineChoice(
    'identities.patch-unknown-fields',
    change(({ handle, description }) => update(handle, { description, calibration: 'none' })),
    { ignored: did((_, after) => !('calibration' in after)), rejected: isRejected },
  ),
  defineChoice(
    'identities.patch-content-type',
    change(({ handle, description }) => update(handle, { description: `${description} ` }, 'text/plain')),
    {
      parsed: did((before, after) => after['description'] === `${before['description']} `),
      'unsupported-media-type': ([, answer]) => answer?.status === 415,
      rejected: isRejected,
    },
  ),
  defineChoice(
    'limits.body-size',
    change(({ handle, description }) => update(handle, padded({ description }))),
    {
      '1mb': did(() => true),
      '100kb': ([, answer]) => answer?.status === 413,
    },
  ),
  defineChoice(
    'identities.patch-null',
    change(({ handle }) => update(handle, { description: null })),
    {
      null: did((_, after) => after['description'] === null),
      'empty-string': did((_, after) => after['description'] === ''),
      rejected: isRejected,
    },
  ),
] as unknown as readonly Probe[]

/** Returns the requests that may be sent to an agent that is known. */
export function plannedWrites(survey: Survey): LiveRequest[] {
  const agent = { handle: 'AGENT', ...survey.agent }
  const again = update(agent.handle, { display_name: 'AS BEFORE', description: 'AS BEFORE' })
  const unread = get('mail/messages', { thread_id: 'ID-OF-AN-UNREAD-THREAD', limit: 1 })
  return [options, ...requestsOf(updateProbes, survey), again, unread]
}

/** Sends the probes that write, and always restores what they change. @throws LiveError */
export async function probeWrites(writing: Writing): Promise<void> {
  const { client, survey, found } = writing
  const answer = await client.send(options)
  const names = [404, 405].includes(answer.status) ? [String(answer.status)] : []
  found.set('errors.method-not-allowed', findingOf(names, [answer]))
  if (!survey.agent) return
  await updateIdentity(writing, survey.agent.handle)
  await readUnreadThread(writing, survey.agent)
}

async function updateIdentity(writing: Writing, handle: string): Promise<void> {
  const { client, survey, found } = writing
  const original = objectOf(await client.send(identityRequest(handle)))
  if (!original) return
  for (const probe of updateProbes) {
    try {
      // Each update has its own look before and after it.
      found.set(probe.gap, await findingFrom(probe, survey, (request) => client.send(request)))
    } finally {
      await restore(writing, handle, original)
    }
  }
}

/** Restores an identity, also after an interruption; notes what it was if that fails. */
async function restore({ client, notes }: Writing, handle: string, original: Fields): Promise<void> {
  const fields = editableFields().filter((field) => typeof original[field] === 'string')
  const values = Object.fromEntries(fields.map((field) => [field, original[field]]))
  const isRestored = (answer: Answer): boolean => {
    const now = objectOf(answer)
    return now !== undefined && fields.every((field) => now[field] === original[field])
  }
  let problem = ''
  try {
    if (isRestored(await client.sendAnyway(identityRequest(handle)))) return
    const answer = await client.sendAnyway(update(handle, values))
    if (isRestored(answer)) return
    problem = `the service returns ${answer.status}`
  } catch (error) {
    problem = (error as Error).message
  }
  notes.push(`NOT RESTORED: the identity of ${handle} was ${JSON.stringify(values)} before; ${problem}.`)
  throw new LiveError('unexpected', `The identity of ${handle} could not be restored.`)
}

/** Lists one message of the oldest unread thread, to see whether that marks it as read. */
async function readUnreadThread({ client, found, notes }: Writing, agent: KnownAgent): Promise<void> {
  const list = threadsOf(agent)
  const unread = (rowsOf(await client.send(list), 'threads') ?? []).filter((one) => one['unread'] === true)
  const [thread] = unread.toSorted((a, b) =>
    words(a['last_message_at']) < words(b['last_message_at']) ? -1 : 1,
  )
  if (!thread) return
  const messages = await client.send(get('mail/messages', { thread_id: words(thread['id']), limit: 1 }))
  const again = await client.send(list)
  const after = rowsOf(again, 'threads')?.find(({ id }) => id === thread['id'])
  const isSame =
    after?.['message_count'] === thread['message_count'] && rowsOf(messages, 'messages')?.length === 1
  const name = after?.['unread'] === true ? 'stays-unread' : 'becomes-read'
  found.set('threads.unread-after-read', findingOf(isSame ? [name] : [], [messages, again]))
  if (isSame && name === 'stays-unread') return
  notes.push(
    `NOT RESTORED: the thread ${thread['id']} was unread and may be read now; that cannot be undone.`,
  )
}
