import { type OperationName, operations } from '../contract/operations.js'
import type { OrganizationRow } from '../model/index.js'
import type { Destination, Settle } from '../world/index.js'
import { Refusal } from './refusal.js'
import type { ServiceRequest } from './service-request.js'

/** The key of `Authorization: Bearer <key>`; undefined when the header is missing or of another form. */
export function bearerKey({ headers }: Pick<ServiceRequest, 'headers'>): string | undefined {
  const header = headers.get('authorization')
  return header === null ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
}

/** The organization a request may act for. @throws Refusal @see interface 5 */
export function authenticate(
  operation: OperationName,
  key: string | undefined,
  { world, organization, gone }: Destination,
  settle: Settle,
): OrganizationRow {
  // No reading lets such a request in: a test that goes on with the key of an earlier one must be told.
  if (gone) refuse(world.closed ? closed : dropped)
  if (organization) return organization
  const first = world.store.firstOrganization()
  if (key !== undefined) {
    return settle('auth.keys', {
      'any-key': () => first,
      'listed-keys': () => refuse('The API key is not one this service knows.'),
    })
  }
  if (operations[operation].authentication === 'not-shown') {
    return settle('auth.webhooks', {
      required: () => refuse('This needs the header Authorization: Bearer <key>.'),
      'not-required': () => first,
    })
  }
  return refuse('This needs the header Authorization: Bearer <key>.')
}

const closed = 'The simulator was closed.'

const dropped =
  'The world of this API key was dropped, or is one of another simulator; fork() and POST /_sim/worlds make one with ' +
  'a key of its own.'

function refuse(message: string): never {
  throw new Refusal('unauthorized', message)
}
