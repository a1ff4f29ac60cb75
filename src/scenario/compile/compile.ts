import { type Extensions, everyOperationName } from '../../contract/extensions.js'
import { gapIds } from '../../contract/gaps.js'
import { parseJson } from '../../contract/json.js'
import { once } from '../../contract/once.js'
import type { z } from '../../contract/schema.js'
import { expectedOneOf } from '../../contract/text.js'
import { type Rows, rowSchemas, type Unplaced } from '../../model/index.js'
import { createYielder, parseInstant } from '../../world/index.js'
import type { Scenario } from '../format/index.js'
import { readOwnKinds } from '../letters/wording.js'
import { addMaildirs } from '../maildir/maildir.js'
import { type ProblemAt, withFurther } from '../problems/problem.js'
import { readEnclosures } from '../resolve/enclosures.js'
import { Lookups } from '../resolve/lookups.js'
import { Names, resolveEntries } from '../resolve/names.js'
import { checkOrganizations } from '../resolve/organizations.js'
import { type Agent, fieldAt, nameParts, type OrganizationPart, organizationsOf } from '../resolve/parts.js'
import { unknownNames } from '../resolve/unknown-names.js'
import { reasonOf } from '../source/files.js'
import { type Compilation, type CompilationInput, createCompilation } from './compilation.js'
import { resolveExpectations } from './expectations.js'
import { generatedBodies, generateThreads } from './generate.js'
import { addThread } from './threads.js'
import { compileTimeline, resolveTimeline } from './timeline.js'

/** Options of `compileScenario`. */
export interface CompileOptions extends Pick<CompilationInput, 'seed' | 'start' | 'onProgress' | 'files'> {
  readonly extensions: Extensions
  /** Problems that are known already. */
  readonly problems: readonly ProblemAt[]
}

/**
 * Resolves a scenario, which finds every agent, thread, message and file that it refers to; then compiles the rows of its
 * mailboxes, the commands of its timeline, and its expectations. If there are problems, it compiles the scenario only to
 * check its templates as well, and the rest of the result must not be used.
 */
export async function compileScenario(scenario: Scenario, options: CompileOptions) {
  const { seed, files, extensions } = options
  const begins = parseInstant(scenario.start) as number
  const turn = createYielder()
  const organizations = organizationsOf(scenario, seed)
  const agents = organizations.flatMap((part) => part.agents)
  const enclosures = await readEnclosures(agents, scenario, files)
  const { enclosed } = enclosures
  const resolvedEntries = resolveEntries(scenario, enclosed)
  await turn()
  const names = new Names(agents, resolvedEntries, seed)
  const lookups = new Lookups(names, extensions)
  await turn()
  checkOrganizations(lookups, scenario, organizations, resolvedEntries)
  await turn()
  const entries = resolveTimeline(lookups, resolvedEntries, begins)
  await turn()
  const expected = resolveExpectations(lookups, scenario)
  const gaps = [...gapIds, ...extensions.gaps.keys()]
  const own = await readOwnKinds(agents, files)
  const found = [
    ...options.problems,
    ...lookups.problems,
    ...unknownNames(scenario, everyOperationName(extensions), gaps),
    ...enclosures.problems,
    ...own.problems,
  ]
  const isRefused = found.length > 0
  const input = { ...options, scenario, begins, names, enclosed, ownKinds: own.kinds, isRefused }
  const compilation = createCompilation(input)
  for (const part of organizations) await addOrganization(compilation, part)
  if (scenario.rows !== undefined) await addRows(compilation, scenario.rows)
  const base = compilation.builder.build(generatedBodies(compilation.composers))
  const { places, ...timeline } = await compileTimeline(compilation, entries)
  const expectations = []
  for (const compile of expected) expectations.push(await compile(compilation, places))
  compilation.meter.allDone()
  const problems = withFurther(found, compilation.texts.problems)
  const warnings = [...enclosures.warnings, ...warningsOn(scenario, names.handles)]
  return { begins, base, ...timeline, expectations, problems, warnings }
}

/** Returns warnings about expectations that hardly any client can meet. */
function warningsOn({ rows, expect, readings, timeline }: Scenario, handles: readonly string[]): string[] {
  // The contents of a file of readings or a profile are not known here.
  const mayBecomeRead =
    typeof readings === 'string' || JSON.stringify([readings, timeline]).includes('becomes-read')
  return expect.flatMap(({ thread, has, where }, index) => {
    const warnings: string[] = []
    const isReadInStory = timeline.some(({ read }) => read?.thread === thread)
    if (thread !== undefined && has?.['unread'] === false && !mayBecomeRead && !isReadInStory) {
      warnings.push(
        `expect[${index}].has.unread: no client can make a thread read by default; with readings: ` +
          '{ threads.unread-after-read: becomes-read }, listing its messages does',
      )
    }
    const agent = where?.query?.['agent']
    if (typeof agent !== 'string' || agent.includes('{{') || rows !== undefined) return warnings
    if (handles.includes(agent.replace(/^@/, ''))) return warnings
    const problem = `there is no identity with the handle "${agent}"${expectedOneOf(agent, handles)}`
    return [...warnings, `expect[${index}].where.query.agent: ${problem}`]
  })
}

/** Adds an organization with its agents, their mailboxes and its webhooks. */
async function addOrganization(compilation: Compilation, part: OrganizationPart): Promise<void> {
  const { organization, id, name, path, agents } = part
  const own = path.length === 0 ? ['organization'] : path
  const company = await compilation.texts.fill(organization.name, fieldAt({ ...part, path: own }, 'name'))
  compilation.add('organization', { id, name: company, api_keys: organization.api_keys })
  for (const agent of agents) await addAgent(compilation, agent, id, company)
  const webhooks = nameParts(organization.webhooks, ({ url, agent_handle }) => `${url} ${agent_handle ?? ''}`)
  for (const [webhookName, webhook] of webhooks) {
    const createdAt = compilation.instant(webhook.created_at ?? '-30d')
    compilation.add('webhook', {
      id: compilation.id('webhook', `${name}/webhooks/${webhookName}`),
      organization_id: id,
      url: webhook.url,
      events: webhook.events,
      agent_handle: webhook.agent_handle ?? null,
      auth_token: webhook.auth_token ?? null,
      created_at: createdAt,
      updated_at: createdAt,
    })
  }
}

async function addAgent(
  compilation: Compilation,
  agent: Agent,
  organizationId: string,
  company: string,
): Promise<void> {
  const { texts, enclosed } = compilation
  const { id, handle, address, identity, locale, threads } = agent
  const text = (field: 'display_name' | 'description', otherwise: string): Promise<string> =>
    texts.fill(identity[field] ?? otherwise, fieldAt(agent, field))
  const createdAt = compilation.instant(identity.created_at ?? '-365d')
  const row = compilation.add('identity', {
    id,
    organization_id: organizationId,
    agent_handle: handle,
    display_name: await text('display_name', handle),
    description: await text('description', ''),
    mailbox_address: address,
    created_at: createdAt,
    updated_at: createdAt,
  })
  for (const thread of threads) await addThread(compilation, row, thread)
  const folders = enclosed.get(identity)?.folders
  if (folders) addMaildirs(compilation, row, folders)
  if (!identity.generate || compilation.isRefused) return
  await generateThreads(compilation, row, { company, locale, wanted: identity.generate })
}

/** The models of a file of rows. */
const models = ['identity', 'thread', 'message', 'attachment', 'webhook'] as const

type ImportedModel = (typeof models)[number]

/** Schemas of the lines of a file of rows: rows without the fields that the scenario sets. */
const lineSchemas = once(() => {
  const schemas = models.map((model) => {
    const schema = rowSchemas[model]() as unknown as z.ZodObject
    const owned = 'organization_id' in schema.shape ? { organization_id: true as const } : {}
    return [model, schema.omit({ ordinal: true, ...owned } as never)] as const
  })
  return new Map<string, z.ZodType>(schemas)
})

/** The maximum number of reported problems of a file of rows. */
const maxProblems = 5

/** Adds the rows of a file, one JSON object a line, `{"model": "thread", …}`, in the order of their creation. */
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
        if (++problems === maxProblems) return
        continue
      }
      const { model, fields } = row
      const owned = model === 'attachment' ? fields : { ...fields, organization_id: organization }
      compilation.add(model, owned as never as Unplaced<Rows[ImportedModel]>)
    }
  } catch (error) {
    texts.problem(['rows'], reasonOf(error))
  }
}

/** Parses the row of a line; returns a message if it is invalid. */
function readLine(line: string): { readonly model: ImportedModel; readonly fields: object } | string {
  const value: unknown = parseJson(line)
  if (value === undefined) return 'is not JSON'
  const { model, ...fields } = Object(value)
  const schema = lineSchemas().get(model)
  if (!schema) return `has no model; expected one of ${models.join(', ')}`
  const [issue] = schema.safeParse(fields).error?.issues ?? []
  return issue ? `${model}.${issue.path.join('.')}: ${issue.message}` : { model, fields }
}
