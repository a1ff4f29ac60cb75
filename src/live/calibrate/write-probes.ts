import type { GapId } from '../../contract/gaps.js'
import { editableFields } from '../../service/operations/identities.js'
import {
  type Fields,
  get,
  identityRequest,
  LiveError,
  type LiveRequest,
  objectOf,
  rowsOf,
  type ServiceClient,
  words,
} from '../service-client.js'
import {
  defineProbe,
  type Finding,
  findingFrom,
  isInvalid,
  isList,
  type Probe,
  type Requests,
  type Sign,
  statusOf,
} from './probe.js'
import { type KnownAgent, type Survey, threadsOf } from './survey.js'

/** A body size in bytes that one assumption of `limits.body-size` accepts and the other refuses. */
const largeBody = 150_000

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

/** The probes that may change something. Each update has a look at the identity before and after it. */
export const writeProbes: readonly Probe[] = [
  defineProbe('errors.method-not-allowed', [options], statusOf),
  defineProbe(
    'identities.patch-empty-body',
    change(({ handle }) => update(handle, {})),
    {
      unchanged: did((before, after) => before['updated_at'] === after['updated_at']),
      touched: did((before, after) => before['updated_at'] !== after['updated_at']),
      rejected: isRejected,
    },
  ),
  defineProbe(
    'identities.patch-at-handle',
    change(({ handle, description }) => update(`@${handle}`, { description })),
    {
      'same-identity': did(() => true),
      'not-found': ([, answer]) => answer?.status === 404,
      rejected: isRejected,
    },
  ),
  defineProbe(
    'identities.patch-unknown-fields',
    change(({ handle, description }) => update(handle, { description, calibration: 'none' })),
    { ignored: did((_, after) => !('calibration' in after)), rejected: isRejected },
  ),
  defineProbe(
    'identities.patch-content-type',
    change(({ handle, description }) => update(handle, { description: `${description} ` }, 'text/plain')),
    {
      parsed: did((before, after) => after['description'] === `${before['description']} `),
      'unsupported-media-type': ([, answer]) => answer?.status === 415,
      rejected: isRejected,
    },
  ),
  defineProbe(
    'limits.body-size',
    change(({ handle, description }) => update(handle, JSON.stringify({ description }).padEnd(largeBody))),
    {
      '1mb': did(() => true),
      '100kb': ([, answer]) => answer?.status === 413,
    },
  ),
  defineProbe(
    'identities.patch-null',
    change(({ handle }) => update(handle, { description: null })),
    {
      null: did((_, after) => after['description'] === null),
      'empty-string': did((_, after) => after['description'] === ''),
      rejected: isRejected,
    },
  ),
  defineProbe(
    'threads.unread-after-read',
    ({ agent, unread }) => {
      if (!agent || !unread) return 'the agent has no unread thread'
      const messages = get('mail/messages', { thread_id: words(unread['id']), limit: 1 })
      return [threadsOf(agent), messages, threadsOf(agent)]
    },
    ([, messages, again], { unread }) => {
      const after = again && rowsOf(again, 'threads')?.find(({ id }) => id === unread?.['id'])
      const isSame = after?.['message_count'] === unread?.['message_count']
      if (!after || !isSame || !messages || !isList('messages', 1)(messages)) return undefined
      return after['unread'] === true ? 'stays-unread' : 'becomes-read'
    },
  ),
]

/** Sends the probes that write, and always restores what they change. @throws LiveError also if that fails */
export async function probeWrites(client: ServiceClient, survey: Survey, found: Map<GapId, Finding>) {
  const { agent } = survey
  const original = agent && objectOf(await client.send(identityRequest(agent.handle)))
  for (const probe of writeProbes) {
    try {
      found.set(probe.gap, await findingFrom(probe, survey, (request) => client.send(request)))
    } finally {
      if (original) await restore(client, agent.handle, original)
    }
  }
}

/** Restores an identity, also after an interruption. @throws LiveError that says what it was, if that fails */
async function restore(client: ServiceClient, handle: string, original: Fields): Promise<void> {
  const fields = editableFields().filter((field) => typeof original[field] === 'string')
  const values = Object.fromEntries(fields.map((field) => [field, original[field]]))
  const failed = (why: string): LiveError => {
    const was = `the identity of ${handle} was ${JSON.stringify(values)} before`
    return new LiveError('failed', `NOT RESTORED: ${was}; ${why}`)
  }
  for (const request of [identityRequest(handle), update(handle, values)]) {
    const answer = await client.send(request, { anyway: true }).catch((error: LiveError) => {
      throw failed(error.message)
    })
    const now = objectOf(answer)
    if (now && fields.every((field) => now[field] === original[field])) return
  }
  throw failed('the service did not take it back.')
}
