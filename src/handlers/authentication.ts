import type { Operation } from '../contract/operations.js'
import type { OrganizationRow } from '../model/index.js'
import type { RequestContext, ServiceRequest } from './request.js'
import { RequestError } from './request-error.js'

/** Returns the key of `Authorization: Bearer <key>`; undefined when the header is missing or has another form. */
export function bearerKey({ headers }: Pick<ServiceRequest, 'headers'>): string | undefined {
  const header = headers.get('authorization')
  return header === null ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
}

/** Whether requests need a key: the interface states it, does not show it, or an extension needs none. */
export type RequiredKey = Operation['authentication'] | 'none'

/** Returns the organization that a request may act for. @throws RequestError @see interface 5 */
export function authenticate(
  { authentication }: { readonly authentication: RequiredKey },
  { key, selected: { world, organization, gone }, settle }: RequestContext,
): OrganizationRow {
  // Refused under every reading: a test that uses the key of an earlier test must notice.
  if (gone) unauthorized(world.closed ? closed : dropped)
  if (organization) return organization
  if (authentication === 'none') return world.store.firstOrganization()
  const first = world.store.firstOrganization()
  if (key !== undefined) {
    return settle('auth.keys', {
      'any-key': () => first,
      'listed-keys': () => unauthorized('The API key is not one this service knows.'),
    })
  }
  if (authentication === 'stated') return unauthorized(missing)
  return settle('auth.webhooks', {
    required: () => unauthorized(missing),
    'not-required': () => first,
  })
}

const missing = 'This needs the header Authorization: Bearer <key>.'

const closed = 'The simulator was closed.'

const dropped =
  'The world of this API key was dropped or belongs to another simulator; fork() and POST /_sim/worlds create one with ' +
  'its own key.'

function unauthorized(message: string): never {
  throw new RequestError('unauthorized', message)
}
