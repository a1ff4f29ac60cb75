import { type Extensions, everyOperationName } from '../../contract/extensions.js'
import { parseInstant } from '../../service/time/time.js'
import { createYielder } from '../../service/time/wall-time.js'
import { actionOf } from '../actions/actions.js'
import { compileExpectations } from '../expectations/compile.js'
import type { Scenario } from '../format/scenario.js'
import { type ProblemAt, withFurther } from '../read/problem.js'
import { recognizableLength } from '../secrets/secret-finder.js'
import { checkOrganizations } from './checks.js'
import { type Compilation, type CompilationInput, createCompilation } from './compilation.js'
import { readEnclosures } from './enclosures.js'
import { mailOfTimeline, resolveEntries } from './entries.js'
import type { Ground } from './further.js'
import { generatedBodies, generateThreads } from './generate.js'
import { Lookups } from './lookups.js'
import { addMailFolders } from './mail-folders.js'
import { Names } from './names.js'
import { type Agent, fieldAt, nameParts, type OrganizationPart, organizationsOf } from './parts.js'
import { addThread } from './threads.js'
import { compileTimeline, resolveTimeline } from './timeline.js'
import { unknownNames } from './unknown-names.js'
import { readOwnKinds } from './wording.js'

/** Options of `compileScenario`. */
export interface CompileOptions extends Pick<CompilationInput, 'seed' | 'start' | 'onProgress' | 'files'> {
  readonly extensions: Extensions
  /** Problems that are already known. */
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
  const enclosures = await readEnclosures(agents, mailOfTimeline(scenario.timeline), files)
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
  const ownKinds = await readOwnKinds(agents, files)
  const found = (): ProblemAt[] => [
    ...options.problems,
    ...lookups.problems,
    ...unknownNames(scenario, everyOperationName(extensions)),
    ...enclosures.problems,
    ...ownKinds.problems,
  ]
  const isRefused = found().length > 0
  const { locale } = scenario
  const input = { ...options, locale, begins, names, enclosed, ownKinds: ownKinds.kinds, isRefused }
  const compilation = createCompilation(input)
  await fillSecrets(compilation, scenario)
  const task = await filledTask(compilation, scenario)
  for (const part of organizations) await addOrganization(compilation, part)
  const base = compilation.builder.build(generatedBodies(compilation.composers))
  const timeline = await compileTimeline(compilation, entries)
  const { texts } = compilation
  const { expectations, ...expected } = await compileExpectations(scenario, { lookups, texts })
  compilation.meter.allDone()
  const problems = withFurther(found(), texts.problems)
  const warnings = [
    ...enclosures.warnings,
    ...compilation.warnings,
    ...warningsOnTimeline(scenario),
    ...expected.warnings,
  ]
  const secrets = Object.fromEntries(compilation.texts.secrets)
  const ground: Ground = {
    scenario,
    files,
    extensions,
    entries: resolvedEntries,
    compilation: { ...compilation, enclosed: new Map() },
    known: new Map(),
  }
  const story = { base, ...timeline, ...task, secrets, expectations }
  return { begins, ...story, problems, warnings, ground }
}

/** Returns warnings about entries whose action is hardly meant. */
function warningsOnTimeline({ timeline }: Scenario): string[] {
  return timeline.flatMap((entry, index) => {
    const chosen = actionOf(entry)
    const warning = chosen?.action.warning?.(chosen.value, entry)
    return warning === undefined ? [] : [`timeline[${index}].${chosen?.kind}: ${warning}`]
  })
}

/**
 * The minimum number of letters and digits in a secret: shorter texts occur by chance in what an agent sends.
 */
const leastSecret = 6

/** Fills in the secrets, before the texts that contain them. */
async function fillSecrets({ locale, texts }: Compilation, { secrets = {} }: Scenario): Promise<void> {
  for (const [name, template] of Object.entries(secrets)) {
    const path = ['secrets', name]
    const secret = await texts.fill(template, { name: `secrets/${name}`, path, locale })
    if (recognizableLength(secret) < leastSecret) {
      texts.problem(
        path,
        `a secret has at least ${leastSecret} letters and digits; a shorter one is not recognized`,
      )
    }
    texts.secrets.set(name, secret)
  }
}

/** Fills in the task, which may contain secrets. */
async function filledTask(
  { locale, texts }: Compilation,
  { task }: Scenario,
): Promise<{ readonly task?: string }> {
  if (task === undefined) return {}
  return { task: await texts.fill(task, { name: 'task', path: ['task'], locale }) }
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
  const { texts } = compilation
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
  await addMailFolders(compilation, row, agent)
  if (!identity.generate || compilation.isRefused) return
  await generateThreads(compilation, row, { company, locale, wanted: identity.generate })
}
