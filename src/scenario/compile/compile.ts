import { once } from '../../contract/once.js'
import type { z } from '../../contract/schema.js'
import { type Base, type ModelName, type Rows, rowSchemas, type Unplaced } from '../../model/index.js'
import type { Expectation, TimelineEntry, TriggeredEntry } from '../../world/index.js'
import type { ScenarioIdentity, ScenarioWebhook } from '../format/index.js'
import { addMaildirs } from '../maildir/maildir.js'
import type { ProblemAt } from '../problems/problem.js'
import type { Agent } from '../resolve/names.js'
import { allOrganizations, nameParts, type OrganizationPart } from '../resolve/parts.js'
import type { ResolvedScenario } from '../resolve/resolve.js'
import { FileError } from '../source/files.js'
import { Compilation, type CompileOptions } from './compilation.js'
import { compileExpectations } from './expectations.js'
import { generateThreads } from './generate.js'
import { addThread } from './threads.js'
import { compileTimeline } from './timeline.js'

/** What a scenario comes to. */
export interface Compiled {
  readonly base: Base
  readonly timeline: readonly TimelineEntry[]
  /** What waits for a request or a delivery. */
  readonly triggered: readonly TriggeredEntry[]
  readonly expectations: readonly Expectation[]
  /** Where a template gives what does not fit; with any, the rest is not to be used. */
  readonly problems: readonly ProblemAt[]
}

/** Compiles a resolved scenario: the rows of its mailboxes, the commands of its timeline, and what it expects. */
export async function compileScenario(
  resolved: ResolvedScenario,
  options: CompileOptions,
): Promise<Compiled> {
  const compilation = new Compilation(resolved, options)
  const agents = new Map(resolved.names.agents.map((agent) => [agent.identity, agent]))
  for (const part of allOrganizations(resolved.scenario)) await addOrganization(compilation, part, agents)
  if (resolved.scenario.rows !== undefined) await addRows(compilation, resolved.scenario.rows)
  const base = compilation.builder.build(compilation.bodies.source)
  const timeline = await compileTimeline(compilation)
  const expectations = await compileExpectations(compilation, timeline.places)
  compilation.meter.allDone()
  return {
    base,
    timeline: timeline.entries,
    triggered: timeline.triggered,
    expectations,
    problems: compilation.texts.problems,
  }
}

/** Adds an organization with its agents, their mailboxes and its webhooks. */
async function addOrganization(
  compilation: Compilation,
  { organization, name, path }: OrganizationPart,
  agents: ReadonlyMap<ScenarioIdentity, Agent>,
): Promise<void> {
  const { texts } = compilation
  const id = compilation.id('organization', name)
  const { locale } = compilation.resolved.scenario
  const namePath = [...(path.length === 0 ? ['organization'] : path), 'name']
  const company = await texts.fill(organization.name, { name: `${name}/name`, path: namePath, locale })
  compilation.add('organization', { id, name: company, api_keys: organization.api_keys })
  for (const identity of organization.identities) {
    await addAgent(compilation, agents.get(identity) as Agent, { id, company })
  }
  const webhooks = nameParts(organization.webhooks, ({ url, agent_handle }) => `${url} ${agent_handle ?? ''}`)
  for (const [webhookName, webhook] of webhooks) {
    addWebhook(compilation, webhook, id, `${name}/webhooks/${webhookName}`)
  }
}

async function addAgent(
  compilation: Compilation,
  agent: Agent,
  organization: { readonly id: string; readonly company: string },
): Promise<void> {
  const { texts, resolved } = compilation
  const { handle, address, identity, path } = agent
  const locale = compilation.localeOf(agent)
  const name = `${organization.id}/identities/${handle}`
  const text = (field: 'display_name' | 'description', otherwise: string): Promise<string> =>
    texts.fill(identity[field] ?? otherwise, { name: `${name}/${field}`, path: [...path, field], locale })
  const createdAt = compilation.instant(identity.created_at ?? '-365d')
  const row = compilation.add('identity', {
    id: compilation.id('identity', name),
    organization_id: organization.id,
    agent_handle: handle,
    display_name: await text('display_name', handle),
    description: await text('description', ''),
    mailbox_address: address,
    created_at: createdAt,
    updated_at: createdAt,
  })
  compilation.rows.set(agent, row)
  const named = nameParts(identity.threads, (thread) => thread.key ?? thread.subject ?? 'thread')
  for (const [index, [threadName, thread]] of named.entries()) {
    const place = { name: `${row.id}/threads/${threadName}`, path: [...path, 'threads', index], locale }
    await addThread(compilation, row, thread, place)
  }
  const folders = resolved.enclosed.get(identity)?.folders
  if (folders) addMaildirs(compilation, row, folders)
  if (!identity.generate || compilation.isRefused) return
  const { templates, kinds } = await texts.wording(locale)
  const all = [...(await kinds()), ...(resolved.ownKinds.get(locale) ?? [])]
  const words = { compilation, kinds: all, person: templates.person }
  await generateThreads(words, row, organization.company, identity.generate)
}

function addWebhook(
  compilation: Compilation,
  webhook: ScenarioWebhook,
  organizationId: string,
  name: string,
): void {
  const createdAt = compilation.instant(webhook.created_at ?? '-30d')
  compilation.add('webhook', {
    id: compilation.id('webhook', name),
    organization_id: organizationId,
    url: webhook.url,
    events: webhook.events,
    agent_handle: webhook.agent_handle ?? null,
    auth_token: webhook.auth_token ?? null,
    created_at: createdAt,
    updated_at: createdAt,
  })
}

/** What a file of rows may hold. */
const models = ['identity', 'thread', 'message', 'attachment', 'webhook'] as const

type ImportedModel = (typeof models)[number]

/** Schemas of the lines of a file of rows: rows without what a scenario gives them. */
const lineSchemas = once(() => {
  const schemas = models.map((model) => {
    const schema = rowSchemas[model]() as unknown as z.ZodObject
    const owned = 'organization_id' in schema.shape ? { organization_id: true as const } : {}
    return [model, schema.omit({ ordinal: true, ...owned } as never)] as const
  })
  return new Map<string, z.ZodType>(schemas)
})

/** Problems of one file that are told. */
const mostProblems = 5

/** Adds the rows of a file: JSON, a line each, `{"model": "thread", …}`, in the order of their creation. */
async function addRows(compilation: Compilation, file: string): Promise<void> {
  const { texts, files } = compilation
  const organization = compilation.id('organization', 'organization')
  let number = 0
  let problems = 0
  try {
    for await (const line of files.lines(file)) {
      number++
      if (line.trim() === '') continue
      const row = readLine(line)
      if (typeof row === 'string') {
        texts.problem(['rows'], `${file}:${number}: ${row}`)
        if (++problems === mostProblems) return
        continue
      }
      const { model, fields } = row
      const owned = model === 'attachment' ? fields : { ...fields, organization_id: organization }
      compilation.add(model, owned as never as Unplaced<Rows[ImportedModel]>)
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    texts.problem(['rows'], error.message)
  }
}

/** The row of a line; what is wrong with it otherwise. */
function readLine(line: string): { readonly model: ImportedModel; readonly fields: object } | string {
  let value: { model?: ModelName }
  try {
    value = JSON.parse(line)
  } catch {
    return 'is not JSON'
  }
  const { model, ...fields } = value ?? {}
  const schema = lineSchemas().get(String(model))
  if (!schema) return `has no model; there is ${models.join(', ')}`
  const parsed = schema.safeParse(fields)
  if (parsed.success) return { model: model as ImportedModel, fields }
  const [issue] = parsed.error.issues
  return `${model}.${issue?.path.join('.')}: ${issue?.message}`
}
