import { type Extensions, everyOperationName } from '../../contract/extensions.js'
import { parseInstant } from '../../service/time/time.js'
import { createYielder } from '../../service/time/wall-time.js'
import { actionOf } from '../actions/actions.js'
import { compileExpectations } from '../expectations/compile.js'
import type { Scenario } from '../format/scenario.js'
import { type ProblemAt, withFurther } from '../read/problem.js'
import { recognizableLength } from '../secrets.js'
import { checkOrganizations, unknownNames } from './checks.js'
import { type Compilation, type CompilationInput, createCompilation } from './compilation.js'
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
import { readOwnKinds } from './wording.js'

/** Options of `compileScenario`. */
interface CompileOptions extends Pick<CompilationInput, 'seed' | 'start' | 'onProgress' | 'files'> {
  readonly extensions: Extensions
  /** Problems that are already known. */
  readonly problems: readonly ProblemAt[]
  /** Mailboxes that were compiled before, which are kept if nothing that they are made of has changed. */
  readonly earlier?: Mailboxes | undefined
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
  const digest = digestOfMailboxes(scenario, options)
  const kept = await keptMailboxes(options.earlier, digest, files)
  const noted = notingFiles(files)
  const inMailboxes = await readEnclosures(kept ? [] : agents, [], noted.files)
  const inTimeline = await readEnclosures([], mailOfTimeline(scenario.timeline), files)
  const enclosed = new Map([...inMailboxes.enclosed, ...inTimeline.enclosed])
  const resolvedEntries = resolveEntries(scenario, enclosed)
  await turn()
  const names = new Names(agents, resolvedEntries, seed)
  const lookups = new Lookups(names, extensions)
  await turn()
  checkOrganizations(lookups, scenario, organizations, resolvedEntries)
  await turn()
  const entries = resolveTimeline(lookups, resolvedEntries, begins)
  await turn()
  const ownKinds = await readOwnKinds(kept ? [] : agents, noted.files)
  const found = (): ProblemAt[] => [
    ...options.problems,
    ...lookups.problems,
    ...unknownNames(scenario, everyOperationName(extensions)),
    ...inMailboxes.problems,
    ...inTimeline.problems,
    ...ownKinds.problems,
  ]
  const isRefused = found().length > 0
  const { locale } = scenario
  const input = { ...options, files: noted.files, locale, begins, names, enclosed, isRefused }
  const compilation = createCompilation({ ...input, ownKinds: ownKinds.kinds, kept })
  await fillSecrets(compilation, scenario)
  const task = await filledTask(compilation, scenario)
  const made = kept ?? (await compileMailboxes(compilation, organizations))
  const mailboxes: Mailboxes = kept ?? { digest, files: noted.digests, ...made }
  const { base } = mailboxes
  const messages = base.database.count('message')
  options.onProgress?.({ messages, of: messages })
  const timeline = await compileTimeline(compilation, entries)
  const { texts } = compilation
  const { expectations, ...expected } = await compileExpectations(scenario, { lookups, texts })
  const problems = withFurther(found(), texts.problems)
  const warnings = [
    ...inMailboxes.warnings,
    ...inTimeline.warnings,
    ...compilation.warnings,
    ...warningsOnTimeline(scenario),
    ...expected.warnings,
  ]
  const secrets = Object.fromEntries(compilation.texts.secrets)
  const story = { base, mailboxes, ...timeline, ...task, secrets, expectations }
  return { begins, ...story, problems, warnings }
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
