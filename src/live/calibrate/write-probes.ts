import type { AssumptionOf, GapId } from '../../contract/gaps.js'
import { editableFields } from '../../service/operations/update-identity.js'
import {
  type Answer,
  describeRequest,
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
import { type Finding, findingOf } from './findings.js'
import { isInvalid } from './probe.js'
import { type KnownAgent, type Survey, threadsOf } from './survey.js'

/** What probes that write need. */
interface Writing {
  readonly client: ServiceClient
  readonly survey: Survey
  readonly found: Map<GapId, Finding>
  readonly notes: string[]
}

/** What an update shows: its answer, and the identity before and after it. */
interface Updated {
  readonly answer: Answer
  readonly before: Fields
  readonly after: Fields
}

/** How a gap is learned by an update: the request, and what it shows under each assumption. */
interface WriteProbe<Gap extends GapId = GapId> {
  readonly gap: Gap
  readonly request: (handle: string, description: string) => LiveRequest
  readonly signs: Readonly<Record<AssumptionOf<Gap>, (updated: Updated) => boolean>>
}

/** A probe of whichever gap. */
type AnyWriteProbe = Omit<WriteProbe, 'signs'> & {
  readonly signs: Readonly<Record<string, (updated: Updated) => boolean>>
}

function defineWrite<Gap extends GapId>(
  gap: Gap,
  request: WriteProbe['request'],
  signs: WriteProbe<Gap>['signs'],
): WriteProbe<Gap> {
  return { gap, request, signs }
}

/** A body size in bytes that one assumption of `limits.body-size` accepts and the other refuses. */
const largeBody = 150_000

const options: LiveRequest = { method: 'OPTIONS', target: '/api/v1/webhooks', key: 'own' }

/** Returns an update of an identity. */
function update(handle: string, body: object | string, type = 'application/json'): LiveRequest {
  const target = `/api/v1/identities/${encodeURIComponent(handle).replace('%40', '@')}`
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method: 'PATCH', target, key: 'own', headers: { 'content-type': type }, body: text }
}

const isRejected = ({ answer }: Updated): boolean => isInvalid(answer)
const isDone = ({ answer }: Updated): boolean => answer.status === 200

const writeProbes = [
  defineWrite('identities.patch-empty-body', (handle) => update(handle, {}), {
    unchanged: (done) => isDone(done) && done.before['updated_at'] === done.after['updated_at'],
    touched: (done) => isDone(done) && done.before['updated_at'] !== done.after['updated_at'],
    rejected: isRejected,
  }),
  defineWrite('identities.patch-at-handle', (handle, description) => update(`@${handle}`, { description }), {
    'same-identity': ({ answer, before }) => objectOf(answer)?.['id'] === before['id'],
    'not-found': ({ answer }) => answer.status === 404,
    rejected: isRejected,
  }),
  defineWrite(
    'identities.patch-unknown-fields',
    (handle, description) => update(handle, { description, calibration: 'none' }),
    { ignored: (done) => isDone(done) && !('calibration' in done.after), rejected: isRejected },
  ),
  defineWrite(
    'identities.patch-content-type',
    (handle, description) => update(handle, { description: `${description} ` }, 'text/plain'),
    {
      parsed: ({ before, after }) => after['description'] === `${before['description']} `,
      'unsupported-media-type': ({ answer }) => answer.status === 415,
      rejected: isRejected,
    },
  ),
  defineWrite(
    'limits.body-size',
    (handle, description) => {
      const body = JSON.stringify({ description })
      return update(handle, `${body.slice(0, -1)}${' '.repeat(largeBody)}}`)
    },
    { '1mb': isDone, '100kb': ({ answer }) => answer.status === 413 },
  ),
  defineWrite('identities.patch-null', (handle) => update(handle, { description: null }), {
    null: (done) => isDone(done) && done.after['description'] === null,
    'empty-string': (done) => isDone(done) && done.after['description'] === '',
    rejected: isRejected,
  }),
] as unknown as readonly AnyWriteProbe[]

/** Lists the requests that would be sent for an agent, one per line. */
export function plannedWrites(handle: string): string[] {
  const line = (request: LiveRequest, gap: GapId): string => `${describeRequest(request)}   # ${gap}`
  return [
    line(options, 'errors.method-not-allowed'),
    ...writeProbes.map(({ gap, request }) => line(request(handle, 'DESCRIPTION'), gap)),
    `${describeRequest(identityRequest(handle))} (before and after each update)`,
    describeRequest(update(handle, { display_name: 'AS BEFORE', description: 'AS BEFORE' })),
    'GET /api/v1/mail/messages?thread_id=ID&limit=1 (of an unread thread)   # threads.unread-after-read',
  ]
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
  const { client, found } = writing
  const read = async () => objectOf(await client.send(identityRequest(handle))) ?? {}
  const original = await read()
  if (typeof original['description'] !== 'string') return
  for (const { gap, request, signs } of writeProbes) {
    try {
      const before = await read()
      const answer = await client.send(request(handle, original['description']))
      const after = await read()
      const names = Object.keys(signs)
      found.set(
        gap,
        findingOf(
          names.filter((name) => signs[name]?.({ answer, before, after })),
          [answer],
        ),
      )
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
