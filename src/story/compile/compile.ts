import { type Extensions, everyOperationName } from '../../contract/extensions.js'
import { parseInstant } from '../../service/time/time.js'
import { compileExpectations } from '../expectations/compile.js'
import type { Scenario } from '../format/scenario.js'
import { type CheckedSource, type ProblemAt, refuseProblems } from '../read/problem.js'
import { recognizableLength } from '../secrets.js'
import { checkOrganizations, unknownNames } from './checks.js'
import { type CompilationInput, createCompilation, Texts } from './compilation.js'
import { readEnclosures } from './mail-files.js'
import {
  compileMailboxes,
  digestOfMailboxes,
  keptMailboxes,
  type Mailboxes,
  notingFiles,
} from './mailboxes.js'
import { Lookups, Names } from './names.js'
import { organizationsOf } from './parts.js'
import { compileTimeline, mailOfTimeline, resolveEntries, resolveTimeline } from './timeline.js'
import { createWordings, readOwnKinds } from './wording.js'

/** Options of `compileScenario`. */
interface CompileOptions extends Pick<CompilationInput, 'seed' | 'start' | 'onProgress' | 'files' | 'warn'> {
  readonly extensions: Extensions
  readonly origin: CheckedSource
  /** What is already known to be wrong. */
  readonly problems: readonly ProblemAt[]
  /** Mailboxes that were compiled before, which are kept if nothing that they are made of has changed. */
  readonly earlier?: Mailboxes | undefined
}

/**
 * Resolves a scenario, which finds every agent, thread, message and file that it refers to, and its expectations; then compiles
 * the rows of its mailboxes and the commands of its timeline, whose templates are filled in.
 */
export async function compileScenario(scenario: Scenario, options: CompileOptions) {
  const { seed, extensions, origin, warn } = options
  const begins = parseInstant(scenario.start) as number
  const organizations = organizationsOf(scenario, seed)
  const agents = organizations.flatMap((part) => part.agents)
  const digest = digestOfMailboxes(scenario, options)
  const kept = await keptMailboxes(options.earlier, digest, options.files)
  const { files, digests } = notingFiles(options.files)
  const made = kept ? [] : agents
  const { enclosed, ...enclosures } = await readEnclosures(
    made,
    mailOfTimeline(scenario.timeline),
    files,
    warn,
  )
  const resolvedEntries = resolveEntries(scenario, enclosed)
  const names = new Names(agents, resolvedEntries, seed)
  const lookups = new Lookups(names, extensions)
  checkOrganizations(lookups, scenario, organizations, resolvedEntries)
  const entries = resolveTimeline(lookups, resolvedEntries, begins)
  const ownKinds = await readOwnKinds(made, files)
  const texts = new Texts(seed, createWordings(seed, begins))
  const { secrets, task } = await fillSecrets(texts, scenario)
  const { expectations, warnings } = compileExpectations(scenario, lookups)
  refuseProblems(origin, [
    ...options.problems,
    ...lookups.problems,
    ...unknownNames(scenario, everyOperationName(extensions)),
    ...enclosures.problems,
    ...ownKinds.problems,
    ...texts.problems,
  ])
  const { locale } = scenario
  const own = { files, locale, begins, names, enclosed, texts, ownKinds: ownKinds.kinds, kept }
  const compilation = createCompilation({ ...options, ...own })
  const mailboxes: Mailboxes = kept ?? {
    ...{ digest, files: digests },
    ...(await compileMailboxes(compilation, organizations)),
  }
  const { base } = mailboxes
  const messages = base.database.count('message')
  options.onProgress?.({ messages, of: messages })
  const timeline = await compileTimeline(compilation, entries)
  refuseProblems(origin, texts.problems)
  for (const warning of warnings) warn(warning)
  return { begins, base, mailboxes, ...timeline, ...task, secrets, expectations }
}

/**
 * The minimum number of letters and digits in a secret: shorter texts occur by chance in what an agent sends.
 */
const leastSecret = 6

/** Fills in the secrets, before the texts that contain them, and the task of the agent. */
async function fillSecrets(texts: Texts, { locale, secrets = {}, task }: Scenario) {
  for (const [name, template] of Object.entries(secrets)) {
    const path = ['secrets', name]
    const secret = await texts.fill(template, { name: `secrets/${name}`, path, locale })
    if (recognizableLength(secret) < leastSecret) {
      const message = `a secret has at least ${leastSecret} letters and digits; a shorter one is not recognized`
      texts.problem(path, message)
    }
    texts.secrets.set(name, secret)
  }
  return {
    secrets: Object.fromEntries(texts.secrets),
    task: task !== undefined && { task: await texts.fill(task, { name: 'task', path: ['task'], locale }) },
  }
}
