import { type Base, BaseBuilder, type IdentityRow, MailboxStore, nameOf } from '../../model/index.js'
import { type Expectation, mixNumber, parseInstant, type TimelineEntry } from '../../world/index.js'
import { compileExpectations } from '../expectations/compile.js'
import type { Scenario, ScenarioIdentity, ScenarioOrganization, ScenarioWebhook } from '../format/index.js'
import { addMaildirs } from '../maildir/maildir.js'
import type { ScenarioFiles } from '../source/files.js'
import { Cast } from '../timeline/cast.js'
import { compileTimeline } from '../timeline/compile.js'
import type { Locale } from '../wording/locale-names.js'
import { loadWordings, type Wording } from '../wording/locales.js'
import { WordsWanted, withoutWords } from '../wording/without-words.js'
import { BodyShelf } from './body-shelf.js'
import {
  type Building,
  type FoundProblem,
  fill,
  idFor,
  inLocale,
  instantOf,
  type ScenarioPath,
} from './building.js'
import { generateThreads } from './generate.js'
import { nameParts } from './names.js'
import { LoadMeter, type OnProgress } from './progress.js'
import { addThread } from './threads.js'
import { WrittenThreads } from './written-threads.js'

/** What a scenario comes to; with any problem found, it is not to be used. */
export interface Built {
  readonly base: Base
  readonly timeline: readonly TimelineEntry[]
  readonly expectations: readonly Expectation[]
  readonly problems: readonly FoundProblem[]
}

/** What goes with a scenario when its base is built. */
export interface BuildOptions {
  readonly seed: number
  readonly files: ScenarioFiles
  readonly onProgress?: OnProgress | undefined
}

/** Builds the base of a scenario, its timeline and what it expects. */
export async function buildBase(scenario: Scenario, options: BuildOptions): Promise<Built> {
  const start = parseInstant(scenario.start) as number
  if (isWritten(scenario)) {
    // Loading a language takes longer than building such a scenario, which is how to know whether it wants one.
    try {
      return await build(scenario, start, new Map(), options)
    } catch (error) {
      if (!(error instanceof WordsWanted)) throw error
    }
  }
  return build(scenario, start, await loadWordings(scenario, options.seed, start), options)
}

/** Whether all there is stands in the scenario itself, which is then no larger than somebody wrote it. */
function isWritten({ identities, organizations }: Scenario): boolean {
  const all = [...identities, ...organizations.flatMap((organization) => organization.identities)]
  return all.every(({ generate, maildir, threads }) => {
    const inFolders = threads.some(({ messages }) =>
      messages.some((message) => message.maildir !== undefined),
    )
    return generate === undefined && maildir === undefined && !inFolders
  })
}

async function build(
  scenario: Scenario,
  start: number,
  wordings: ReadonlyMap<Locale, Wording>,
  { seed, files, onProgress }: BuildOptions,
): Promise<Built> {
  const problems: FoundProblem[] = []
  const builder = new BaseBuilder((ordinal) => mixNumber(ordinal, seed))
  const building: Building = {
    seed,
    start,
    builder,
    wordings,
    ...(wordings.get(scenario.locale) ?? withoutWords),
    files,
    shelf: new BodyShelf(),
    meter: new LoadMeter(scenario, builder, onProgress),
    written: new WrittenThreads(),
    problem: (path, message) => problems.push({ path, message }),
  }
  const { identities, webhooks, organization } = scenario
  await addOrganization(building, { ...organization, identities, webhooks }, 'organization', [])
  const further = nameParts(scenario.organizations, ({ api_keys, name }) => api_keys[0] ?? name)
  for (const [index, [name, other]] of further.entries()) {
    await addOrganization(building, other, `organizations/${name}`, ['organizations', index])
  }
  const base = builder.build(building.shelf.source)
  const cast = new Cast(building, scenario, new MailboxStore(base))
  const timeline = await compileTimeline(cast)
  const expectations = compileExpectations(cast, scenario.expect, timeline.places)
  building.meter.allDone()
  return { base, timeline: timeline.entries, expectations, problems }
}

async function addOrganization(
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
