import { type IdentityRow, nameOf } from '../../model/index.js'
import type { ScenarioIdentity, ScenarioOrganization, ScenarioWebhook } from '../format/index.js'
import { addMaildirs } from '../maildir/maildir.js'
import { type Building, fill, idFor, inLocale, instantOf, type ScenarioPath } from './building.js'
import { generateThreads } from './generate.js'
import { nameParts } from './names.js'
import { addThread } from './threads.js'

/** Adds an organization with its agents, their mailboxes and its webhooks. */
export async function addOrganization(
  building: Building,
  organization: ScenarioOrganization,
  name: string,
  path: ScenarioPath,
): Promise<void> {
  const id = idFor(building, 'organization', name)
  const keyPath = path.length === 0 ? ['organization'] : path
  const company = fill(building, organization.name, `${name}/name`, [...keyPath, 'name'])
  for (const [index, key] of organization.api_keys.entries()) {
    if (!building.builder.has(nameOf.apiKey(key))) continue
    building.problem([...keyPath, 'api_keys', index], `the key belongs to another organization already`)
  }
  building.builder.add('organization', { id, name: company, api_keys: organization.api_keys })
  for (const [index, identity] of organization.identities.entries()) {
    const place = [...path, 'identities', index]
    await addIdentity(inLocale(building, identity.locale), identity, { id, company }, place)
  }
  const webhooks = nameParts(organization.webhooks, ({ url, agent_handle }) => `${url} ${agent_handle ?? ''}`)
  for (const [index, [webhookName, webhook]] of webhooks.entries()) {
    addWebhook(building, webhook, id, `${name}/webhooks/${webhookName}`, [...path, 'webhooks', index])
  }
}

async function addIdentity(
  building: Building,
  identity: ScenarioIdentity,
  organization: { readonly id: string; readonly company: string },
  path: ScenarioPath,
): Promise<void> {
  const { builder } = building
  const { handle } = identity
  const name = `${organization.id}/identities/${handle}`
  const address = identity.mailbox_address ?? `${handle.toLowerCase()}@agents.example`
  if (isTaken(building, organization.id, handle, address, path)) return
  const text = (field: 'display_name' | 'description', otherwise: string): string =>
    fill(building, identity[field] ?? otherwise, `${name}/${field}`, [...path, field])
  const createdAt = instantOf(building, identity.created_at ?? '-365d')
  const row = builder.add('identity', {
    id: idFor(building, 'identity', name),
    organization_id: organization.id,
    agent_handle: handle,
    display_name: text('display_name', handle),
    description: text('description', ''),
    mailbox_address: address,
    created_at: createdAt,
    updated_at: createdAt,
  })
  await fillMailbox(building, identity, row, organization.company, path)
}

function isTaken(
  { builder, problem }: Building,
  organizationId: string,
  handle: string,
  address: string,
  path: ScenarioPath,
): boolean {
  const takenHandle = builder.has(nameOf.handle(organizationId, handle))
  const takenAddress = builder.has(nameOf.foldedMailbox(organizationId, address))
  if (takenHandle) problem([...path, 'handle'], `the handle "${handle}" is taken by another identity`)
  if (takenAddress && !takenHandle) {
    problem([...path, 'mailbox_address'], `the address "${address}" is taken by another identity`)
  }
  return takenHandle || takenAddress
}

async function fillMailbox(
  building: Building,
  identity: ScenarioIdentity,
  row: IdentityRow,
  company: string,
  path: ScenarioPath,
): Promise<void> {
  const named = nameParts(identity.threads, (thread) => thread.key ?? thread.subject ?? 'thread')
  for (const [index, [threadName, thread]] of named.entries()) {
    const name = `${row.id}/threads/${threadName}`
    await addThread(building, row, thread, name, [...path, 'threads', index])
  }
  if (identity.maildir) await addMaildirs(building, row, identity.maildir, [...path, 'maildir'])
  if (identity.generate) await generateThreads(building, row, company, identity.generate)
}

function addWebhook(
  building: Building,
  webhook: ScenarioWebhook,
  organizationId: string,
  name: string,
  path: ScenarioPath,
): void {
  const handle = webhook.agent_handle
  if (handle !== undefined && !building.builder.has(nameOf.handle(organizationId, handle))) {
    building.problem([...path, 'agent_handle'], `there is no identity with the handle "${handle}"`)
  }
  const createdAt = instantOf(building, webhook.created_at ?? '-30d')
  building.builder.add('webhook', {
    id: idFor(building, 'webhook', name),
    organization_id: organizationId,
    url: webhook.url,
    events: webhook.events,
    agent_handle: handle ?? null,
    auth_token: webhook.auth_token ?? null,
    created_at: createdAt,
    updated_at: createdAt,
  })
}
