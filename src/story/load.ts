import { mistakesIn } from '../base/explain.js'
import { textOf } from '../base/mistake.js'
import type { Extensions } from '../contract/extensions.js'
import {
  type AssumptionsLayer,
  assumptionsVariable,
  type ChosenAssumptions,
  chooseAssumptions,
} from '../service/assumptions/assumptions.js'
import { parseInstant } from '../service/time/time.js'
import { type DeliveryFormat, deliveryFormatSchema } from '../service/webhooks/delivery-format.js'
import { createFingerprint } from '../service/world/digest.js'
import { type AttackChoice, chosenAttacks, underAttack } from './attacks/lay-attacks.js'
import { trapExtension } from './attacks/library.js'
import { checkOrganizations } from './compile/checks.js'
import { createCompilation, type OnProgress, Texts } from './compile/compilation.js'
import { readEnclosures } from './compile/mail.js'
import { compileMailboxes, digestOfMailboxes, keptMailboxes, type Mailboxes } from './compile/mailboxes.js'
import { Lookups, Names } from './compile/names.js'
import { organizationsOf } from './compile/parts.js'
import { compileTimeline, mailOfTimeline, resolveEntries, resolveTimeline } from './compile/timeline.js'
import { createWordings, readOwnKinds } from './compile/wording.js'
import type { ExpectationInput } from './edits.js'
import { compileExpectations } from './expectations/kinds.js'
import { type Scenario, type ScenarioInput, scenarioSchema } from './format/scenario.js'
import { preparedName, readPrepared, writePrepared } from './prepared.js'
import { addAssumptions, ownAssumptions, readLayers } from './read/assumptions.js'
import type { ScenarioDefinition } from './read/define-scenario.js'
import { type ExtensionSource, extensionsOf, loadExtensions } from './read/extensions.js'
import { filesBeside, type NoteFile, shippedFiles } from './read/files.js'
import { checkFormat, type ProblemAt, refuseProblems, ScenarioError } from './read/problem.js'
import { checkScenario, readWritten } from './read/read-scenario.js'
import { recognizableLength } from './secrets.js'
import type { LoadedScenario, Story } from './story.js'

/** Overrides of a scenario's values, and listeners for its loading. */
export interface LoadOptions {
  readonly seed?: number | undefined
  /** Overrides the instant at which the story begins, in milliseconds since the epoch. */
  readonly start?: number | undefined
  /** The default start for a shipped scenario or one without its own start. */
  readonly defaultStart?: number | undefined
  /** Assumptions that override the scenario's own; later ones override earlier ones. */
  readonly assumptions?: readonly AssumptionsLayer[] | undefined
  /**
   * Called once with every file and folder of the scenario, even if loading fails or the file is missing: its own,
   * the modules and files it names, and files of assumptions.
   */
  readonly onFile?: NoteFile | undefined
  /**
   * Whether the scenario comes from a client that may not read this machine's files. It must then be the name of a
   * shipped scenario, or an object that names only shipped files.
   */
  readonly shippedOnly?: boolean | undefined
  /** Called with the progress every few thousand messages and at the end. */
  readonly onProgress?: OnProgress | undefined
  /**
   * Called with warnings: valid input that is probably not intended, such as a mail file that does not look
   * like a message.
   */
  readonly onWarning?: ((warning: string) => void) | undefined
  /** Overrides fields of the scenario's delivery format. */
  readonly deliveryFormat?: DeliveryFormat | undefined
  /** Extensions in addition to those that the scenario names. */
  readonly extend?: readonly ExtensionSource[] | undefined
  /** Whether its attacks are checked as well. */
  readonly checksAttacks?: boolean | undefined
  /** A story with the same mailboxes, which are not compiled again if nothing that they are made of has changed. */
  readonly like?: Pick<Story, 'mailboxes'> | undefined
  /** Further expectations, after its own. */
  readonly expect?: readonly ExpectationInput[] | undefined
  /** The attacks that are laid over it. */
  readonly under?: AttackChoice | undefined
}

/** Options with which a scenario is read. */
interface ReadOptions extends LoadOptions {
  readonly note: NoteFile
}

/**
 * Loads a scenario: a shipped name, the path of a YAML, JSON or TypeScript file, or the result of `defineScenario`.
 * @throws ScenarioError with all problems found; WorldError
 */
export async function loadScenario(
  scenario: string | ScenarioDefinition,
  options: LoadOptions = {},
): Promise<Story> {
  const own = { ...options, note: onceEach(options.onFile) }
  const found = (await loadPrepared(scenario, own)) ?? (await read(scenario, own))
  const chosen = await chosenUnder(found, own)
  const story = 'story' in found ? found.story : await compileRead(found, own)
  const { checksAttacks, deliveryFormat: format } = options
  for (const form of checksAttacks && found.hasAttacks ? (['hostile', 'benign'] as const) : []) {
    const { seed, start, extend, shippedOnly } = options
    const under = { attacks: 'all', form } as const
    await loadScenario(scenario, { seed, start, extend, shippedOnly, like: story, under })
  }
  return {
    ...story,
    fingerprint: createFingerprint(story),
    extensions: found.extensions,
    // The scenario's own format has been checked with the scenario.
    ...(format && { deliveryFormat: checkedFormat({ ...story.deliveryFormat, ...format }) }),
    ...chosen,
  }
}

/** Returns a story under further assumptions, the last of which count. @throws AssumptionError */
export async function withAssumptions(story: Story, layers: readonly AssumptionsLayer[]): Promise<Story> {
  return { ...story, ...(await addAssumptions(story, layers)) }
}

/** Returns a scenario's initial assumptions without building its mailboxes. @throws ScenarioError, WorldError */
export async function loadAssumptions(
  scenario: string | ScenarioDefinition,
  assumptions: readonly AssumptionsLayer[] = [],
  options: Pick<LoadOptions, 'extend'> = {},
): Promise<ChosenAssumptions & { readonly extensions: Extensions }> {
  const own = { ...options, assumptions, note: () => undefined }
  const written = await read(scenario, own)
  refuseProblems(written.origin, written.problems)
  return { ...(await chosenUnder(written, own)), extensions: written.extensions }
}

/** The assumptions and the extensions of a scenario. */
interface Assuming {
  readonly extensions: Extensions
  /** Its own assumptions. */
  readonly layers: readonly AssumptionsLayer[]
  /** Whether the environment does not change them. */
  readonly hasFixedAssumptions: boolean
}

/** Chooses the assumptions of a scenario under those that are asked for. @throws WorldError */
async function chosenUnder(
  { extensions, layers, hasFixedAssumptions }: Assuming,
  { assumptions = [], note }: ReadOptions,
): Promise<ChosenAssumptions> {
  const isOpen = ({ from }: AssumptionsLayer): boolean => !hasFixedAssumptions || from !== assumptionsVariable
  const requested = await readLayers(assumptions.filter(isOpen), note, extensions.gaps)
  return chooseAssumptions([...layers, ...requested], undefined, extensions.gaps)
}

/** Loads the prepared form of a scenario; undefined if there is none, or if it is to be changed. */
async function loadPrepared(
  scenario: string | ScenarioDefinition,
  { seed, start, defaultStart, extend = [], note, under, expect, onProgress }: ReadOptions,
) {
  const prepared = scenario === preparedName && !under && !expect ? await readPrepared(seed) : undefined
  if (!prepared) return undefined
  for (const source of prepared.sources) note(source)
  const extensions = await loadExtensions(extend, { note })
  return {
    ...{ layers: prepared.layers, hasFixedAssumptions: false, hasAttacks: false },
    extensions,
    story: prepared.load(extensions, onProgress, start ?? defaultStart),
  }
}

/** Loads the default scenario with its own seed, and writes its prepared form into the folder of the build. */
export async function prepareScenario(): Promise<void> {
  const sources = new Set<string>()
  const options = { note: ({ href }: URL): void => void sources.add(href) }
  const written = await read(preparedName, options)
  await writePrepared([...sources], written.layers, written.checked, await compileRead(written, options))
}

/** Reads a scenario with everything that it names but mail, lays attacks over it, and checks its format. @throws ScenarioError */
async function read(scenario: string | ScenarioDefinition, options: ReadOptions) {
  const { note, under, expect, extend = [] } = options
  const own = await readWritten(scenario, options)
  // Shipped scenarios may name the files they ship with.
  const shippedOnly = options.shippedOnly === true && !own.ships
  const plain = expect ? { ...own, value: withExpectations(own.value as ScenarioInput, expect) } : own
  const files = shippedOnly ? shippedFiles() : filesBeside(own.url, note)
  const alone = checkScenario(plain)
  const seed = options.seed ?? alone.seed
  const attacks = under && (await chosenAttacks(plain, { seed, extend, files }, under.attacks))
  const attacked = attacks && underAttack(plain, attacks, under.form)
  const origin = { source: own.source, locate: own.locate, placed: attacked?.placed }
  const checked = attacked ? checkFormat(scenarioSchema, attacked.written.value, origin) : alone
  const context = { note, shippedOnly, added: attacked ? [trapExtension, ...extend] : extend }
  const extensions = await extensionsOf(checked, plain, context)
  const access = shippedOnly ? 'shipped' : { note }
  return {
    ...{ checked, seed, files, attacked, origin, extensions },
    ...(await ownAssumptions(checked, own.url, access, extensions.gaps)),
    hasFixedAssumptions: checked.fixed_assumptions,
    hasAttacks: alone.attacks.length > 0,
    /** Whether its author set a start that holds unless another one is asked for. */
    givesStart: !own.ships && (own.value as ScenarioInput).start !== undefined,
  }
}

/**
 * Fills the mailboxes of a scenario and compiles its story; another start shifts its instants. First finds every agent, thread,
 * message and file that it refers to, then fills in templates.
 * @throws ScenarioError
 */
async function compileRead(
  written: Awaited<ReturnType<typeof read>>,
  options: ReadOptions,
): Promise<LoadedScenario> {
  const { checked, seed, files, attacked, origin, extensions } = written
  const { onProgress, onWarning: warn = () => undefined, like, defaultStart } = options
  const start = options.start ?? (written.givesStart ? undefined : defaultStart)
  const begins = parseInstant(checked.start) as number
  const organizations = organizationsOf(checked, seed)
  const agents = organizations.flatMap((part) => part.agents)
  const digest = digestOfMailboxes(checked, { seed, start })
  const kept = await keptMailboxes(like?.mailboxes, digest, files)
  const made = kept ? [] : agents
  const mails = mailOfTimeline(checked.timeline)
  const problems: ProblemAt[] = [...written.problems]
  const enclosed = await readEnclosures(made, mails, files, { problems, warn })
  const resolvedEntries = resolveEntries(checked, enclosed)
  const names = new Names(agents, resolvedEntries, seed)
  const lookups = new Lookups(names, extensions, problems)
  checkOrganizations(lookups, checked, organizations, resolvedEntries)
  const entries = resolveTimeline(lookups, resolvedEntries, begins)
  const ownKinds = await readOwnKinds(made, files, problems)
  const texts = new Texts(seed, createWordings(seed, begins), problems)
  const { secrets, task } = await fillSecrets(texts, checked)
  const { expectations, warnings } = compileExpectations(checked, lookups)
  refuseProblems(origin, problems)
  const compilation = createCompilation({
    ...{ seed, begins, start, files, names, enclosed, texts, ownKinds, kept, onProgress, warn },
    locale: checked.locale,
  })
  const mailboxes: Mailboxes = kept ?? {
    ...{ digest, files: files.digests },
    ...(await compileMailboxes(compilation, organizations)),
  }
  const { base } = mailboxes
  const messages = base.database.count('message')
  onProgress?.({ messages, of: messages })
  const compiled = await compileTimeline(compilation, entries)
  refuseProblems(origin, problems)
  for (const warning of warnings) warn(warning)
  const { scenario, describe = '', bounces, delivery_format: deliveryFormat } = checked
  const story = {
    ...{ scenario, describe, seed, start: start ?? begins, bounces, deliveryFormat, base, mailboxes },
    ...{ ...compiled, ...task, secrets, expectations },
  }
  return attacked?.complete(story) ?? story
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

/** @throws ScenarioError */
function checkedFormat(format: DeliveryFormat): DeliveryFormat {
  const problems = mistakesIn(deliveryFormatSchema(), format).map(({ path, message }) => {
    return { key: path.join('.'), message: textOf(message) }
  })
  if (problems.length === 0) return format
  throw new ScenarioError('invalid', 'deliveryFormat', problems)
}

/** Returns a scenario with further expectations. */
function withExpectations(document: ScenarioInput, further: readonly ExpectationInput[]): ScenarioInput {
  const { expect = [] } = document
  return { ...document, expect: [...expect, ...further] }
}

function onceEach(onFile: NoteFile | undefined): NoteFile {
  const noted = new Set<string>()
  return (file) => {
    if (noted.has(file.href)) return
    noted.add(file.href)
    onFile?.(file)
  }
}
