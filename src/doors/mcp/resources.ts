import { toBase64 } from '../../mail/transfer-encoding.js'
import type { IdentityRow, OrganizationRow } from '../../service/model/rows.js'
import { EventFeedReader } from '../../service/record/event-feed.js'
import { locate } from '../../service/requests/routes.js'
import type { Service } from '../../service/requests/service.js'
import type { World } from '../../service/world/world.js'
import { answerTo, serviceRequest } from './calls.js'
import type { Caller } from './tool.js'

/** A resource in a list. @see MCP, Resource */
export interface ListedResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}

/** The contents of a resource: text, or bytes in base64. */
export type ResourceContents = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly blob: string }
)

/** The form of the URIs of mailboxes. */
export const mailboxTemplate = 'mailbox:///{handle}'

function mailboxUri(handle: string): string {
  return `mailbox:///${encodeURIComponent(handle)}`
}

/** Lists the mailboxes of the organization of a key; none if the service refuses the key. */
export async function listMailboxes(service: Service, caller: Caller): Promise<ListedResource[]> {
  const own = await service.organizationFor(serviceRequest('GET', caller.base, caller))
  const rows = own ? identitiesOf(own) : []
  return rows.map(({ agent_handle, display_name, mailbox_address }: IdentityRow) => ({
    uri: mailboxUri(agent_handle),
    name: agent_handle,
    title: display_name ?? agent_handle,
    description: `The conversations in the mailbox ${mailbox_address}.`,
    mimeType: 'application/json',
  }))
}

/** Returns the identities of an organization, the oldest first. */
export function identitiesOf(
  { world, organization }: OwnMailboxes,
  limit = Number.MAX_SAFE_INTEGER,
): readonly IdentityRow[] {
  const list = world.store.identities(organization.id)
  const page = list.page({ order: 'created', offset: 0, limit: Math.min(limit, list.count) })
  return world.store.rows('identity', page)
}

/**
 * Reads a resource by a request to the service: a mailbox by listing its threads, or a stored file. Undefined if there is
 * no such resource. @throws Error with the text of another error response
 */
export async function readResource(
  uri: string,
  service: Service,
  caller: Caller,
): Promise<ResourceContents | undefined> {
  const mailbox = (await listMailboxes(service, caller)).find((one) => one.uri === uri)
  const agent = mailbox && encodeURIComponent(mailbox.name)
  const url = mailbox ? `${caller.base}/api/v1/mail/threads?agent=${agent}` : uri
  if (!URL.canParse(url)) return undefined
  const request = serviceRequest('GET', url, caller)
  if (!mailbox && locate(request, service.baseUrl)?.fileId === undefined) return undefined
  const { status, headers, bytes } = await answerTo(request, service)
  if (status === 404) return undefined
  if (status >= 400) throw new Error(new TextDecoder().decode(bytes))
  const { 'content-type': mimeType = 'application/octet-stream' } = headers
  const text = /^text\/|json/i.test(mimeType) ? textIn(bytes) : undefined
  return text === undefined ? { uri, mimeType, blob: toBase64(bytes) } : { uri, mimeType, text }
}

/** Returns bytes as text; undefined if they are not UTF-8. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The mailboxes that a key gives access to: those of an organization in a world. */
export interface OwnMailboxes {
  readonly world: World
  readonly organization: OrganizationRow
}

/** Calls a listener with the URI of every mailbox of an organization that receives mail; returns a function that ends this. */
export function followMailboxes(
  { world, organization }: OwnMailboxes,
  listener: (uri: string) => void,
): () => void {
  const { feed } = world
  const reader = new EventFeedReader(feed, feed.latest, new Set(['event']))
  return feed.subscribe(() => {
    for (let next = reader.next(); next; next = reader.next()) {
      if (next.type === 'gap') continue
      const { type, agent_handle, message_id } = next.data as Readonly<Record<string, string>>
      if (type !== 'message.received' || agent_handle === undefined) continue
      const owner = world.store.get('message', message_id ?? '')?.organization_id
      if (owner === organization.id) listener(mailboxUri(agent_handle))
    }
  })
}
