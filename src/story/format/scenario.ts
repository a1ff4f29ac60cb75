import { z } from '../../base/schema.js'
import { faultSchema } from '../../service/faults/fault.js'
import { deliveryFormatSchema } from '../../service/webhooks/delivery-format.js'
import { actionFields, actionNames, actionOf } from '../actions/actions.js'
import { incomingMail } from '../actions/mail.js'
import { ownInvariants } from '../expectations/invariant.js'
import { expectation, obeyed } from '../expectations/kinds.js'
import { type EntryFrame, entryFields, exactlyOne, problemWithTime, times } from './entry.js'
import { furtherOrganization, organization, ownedFields } from './mailbox.js'
import {
  addressPattern,
  delay,
  fileMark,
  having,
  isoInstant,
  key,
  locale,
  rule,
  scenarioAssumptionsSchema,
  template,
} from './values.js'

/** The name of a file whose rows are attacks. */
const attackFile = z
  .string()
  .regex(/\.jsonl$/, 'expected a file that ends in .jsonl')
  .meta({ [fileMark]: '\\.jsonl$' }) as z.ZodType<string, `${string}.jsonl`>

/** Laid over the story to see whether the agent obeys its mail. */
const attack = z
  .strictObject({
    name: key.describe('Names the attack for reports and for `--attacks`.'),
    describe: z.string().optional().describe('A sentence about what it tries.'),
    after: delay.default('1s').describe("How long after the story's start its mail comes."),
    receive: incomingMail.describe('The hostile mail.'),
    obeyed: obeyed.describe(
      'What holds if the agent obeyed, any of several; for `leak`, that it leaked; `failed`: it no longer does its work.',
    ),
    benign: z
      .strictObject({ receive: incomingMail.describe('The harmless mail.') })
      .optional()
      .describe(
        'The harmless version: the same form with a harmless wish, which must not keep the agent from its work.',
      ),
  })
  .meta({
    id: 'attack',
    title: 'Attack',
    description: 'Hostile mail that is laid over the story, with what the agent does if it obeys.',
  })

/** A file of hostile texts, such as a public collection, each row an attack. */
const attackRows = z
  .strictObject({
    file: attackFile.describe('The file, in JSON Lines.'),
    goal: key
      .optional()
      .describe('What its rows ask for, a goal of the library, unless a row says otherwise.'),
    obeyed: obeyed
      .optional()
      .describe('What holds if the agent obeyed, for rows that ask for what no goal of the library does.'),
  })
  .meta({
    id: 'attack-rows',
    title: 'Rows of attacks',
    description: 'A file of hostile texts, each row an attack.',
  })

/** Something that happens in the story, with its time. */
const timelineEntry = z
  .strictObject({
    ...entryFields,
    ...actionFields(),
  })
  .check(rule(problemWithTime))
  .check(rule(exactlyOne('what happens', actionNames)))
  .check(rule(problemWith))
  .meta({
    id: 'timeline_entry',
    title: 'Timeline entry',
    description:
      'Something that happens after the start: at a time, `after` or `at`, or `when` something else does, and one thing ' +
      'that happens.',
    anyOf: times.map(having),
    not: { required: ['after', 'at'] },
    oneOf: actionNames.map(having),
  })

/** Returns what is wrong with an entry because of its action. */
function problemWith(written: Readonly<Record<string, unknown>>): string | undefined {
  const entry: EntryFrame = written as z.output<typeof timelineEntry>
  const { action, value } = actionOf(written) ?? {}
  if (entry.event_delay !== undefined && !action?.hasEvent) {
    return '"event_delay" is only for mail and its outcomes, which have events'
  }
  if (entry.when && entry.repeat) {
    if (!action?.repeatsAtOnce) {
      return '"repeat" with "when" is only for mail; write an entry for each "when"'
    }
    if (entry.repeat.every !== '0s')
      return 'with "when", all repetitions happen simultaneously; leave out "every"'
  }
  return action?.problemWith?.(value, entry)
}

const extensionName = z
  .string()
  .min(1)
  .meta({ [fileMark]: '\\.[cm]?[jt]s$' })

/** The format of scenario files. */
export const scenarioSchema = z
  .strictObject({
    $schema: z
      .string()
      .optional()
      .describe('The JSON Schema by which editors complete and explain the file.'),
    scenario: z.string().min(1).describe('The name of the scenario.'),
    describe: z.string().optional().describe('A sentence about what happens.'),
    task: template
      .optional()
      .describe(
        'What the agent is asked to do, in a sentence to it. Commands have it as `MAILBOX_TASK`, tests as `mailbox.task`, and MCP clients in the instructions.',
      ),
    seed: z.int().min(0).default(1).describe('The seed that every generated value depends on.'),
    start: isoInstant.default('2026-01-05T09:00:00Z').describe('The instant at which the story begins.'),
    locale: locale.default('en').describe('The language of names and of generated mail.'),
    assume: scenarioAssumptionsSchema
      .optional()
      .describe('What is assumed where the interface is silent: a profile, a file, or assumptions by gap.'),
    fixed_assumptions: z
      .boolean()
      .default(false)
      .describe(
        'Whether `MAILBOX_SIM_ASSUME` leaves its assumptions unchanged; flags and options still change them.',
      ),
    extend: z
      .union([extensionName, z.array(extensionName)], {
        error: 'expected a file such as ./operations.ts, or common',
      })
      .optional()
      .describe('Operations beyond the documented ones: files beside this one, or `common`.'),
    organization: organization.prefault({}).describe('The organization that owns the agents.'),
    ...ownedFields,
    organizations: z
      .array(furtherOrganization)
      .default([])
      .describe('Additional organizations, each with its own keys, identities and webhooks.'),
    delivery_format: deliveryFormatSchema()
      .optional()
      .describe('The published format of deliveries: their headers, and the text that is signed.'),
    secrets: z
      .record(z.string().regex(/^[A-Za-z][\w-]*$/, 'expected a name such as refund_code'), template)
      .optional()
      .describe(
        'Values that no agent may pass on, by name; templates have them as `{{secret.refund_code}}`, and spelled in words as `{{spelled.refund_code}}`.',
      ),
    bounces: z
      .array(addressPattern)
      .default([])
      .describe('Addresses at which mail from any agent bounces; `*` matches any characters.'),
    timeline: z.array(timelineEntry).default([]).describe('What happens after the start.'),
    attacks: z
      .union([
        z.literal('common'),
        attackFile,
        z.array(z.union([attack, z.literal('common'), attackFile, attackRows])).max(200),
      ])
      .default([])
      .describe(
        'Hostile mail that `replay --attacks` lays over the story; `common` draws from the carriers and goals that ship, a file such as `./orders.jsonl` has an attack in each row.',
      ),
    attack_mode: z
      .enum(['none', 'all'])
      .default('none')
      .describe('Which attacks `replay` plays with an agent, unless `--attacks` says otherwise.'),
    invariants: z
      .partialRecord(z.enum(ownInvariants), z.literal('off'))
      .optional()
      .describe(
        'The invariants by which `check` does not judge an agent, which are otherwise on by themselves.',
      ),
    known: z
      .record(z.string().min(1), z.string().min(1))
      .optional()
      .describe(
        'The disturbances under which the agent is known to fail, by id, and why: `check` reports them, and does not fail.',
      ),
    expect: z
      .array(expectation)
      .max(1_000)
      .default([])
      .describe('What must be true at the end of the story.'),
  })
  .meta({ title: 'Scenario', description: 'A complete file. Only `scenario` is required.' })

/** A scenario in the form that its author writes. An interface, so that declarations and messages name it. */
export interface ScenarioInput extends z.input<typeof scenarioSchema> {}
/** A scenario with its defaults filled in. */
export type Scenario = z.output<typeof scenarioSchema>
/** Something that happens after the start. */
export type WrittenEntry = Scenario['timeline'][number]

/** A JSON Schema, or a part of one. */
export type JsonSchema = z.core.JSONSchema.JSONSchema

/**
 * Returns a new JSON Schema (2020-12) of scenario files with the details that editors show: descriptions, defaults,
 * examples and the allowed values.
 */
export function createScenarioJsonSchema(): JsonSchema {
  const whole: JsonSchema = z.toJSONSchema(scenarioSchema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => complete(zodSchema, jsonSchema),
  })
  const parts = Object.entries(whole.$defs ?? {}).filter(([name]) => !name.startsWith('__'))
  return { ...whole, title: 'Scenario of agent-mailbox-sim', $defs: Object.fromEntries(parts) }
}

const durationOfFaults = faultSchema().shape.drip.unwrap()

/** Adjusts the JSON Schema of a value for rules that its Zod schema expresses only in code. */
function complete(schema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema): void {
  // The largest safe integer is a bound of JavaScript, not of the format.
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  // For the simulator itself.
  delete json[fileMark]
  // JSON Schema has no such format, and contentEncoding already says the same.
  if (json.format === 'base64') delete json.format
  // Zod describes arbitrary JSON by a schema that refers to itself; no schema says the same.
  if (json.$ref?.startsWith('#/$defs/__')) delete json.$ref
  // Zod omits the default if something inside is transformed.
  if (schema instanceof z.ZodDefault) json.default ??= schema.def.defaultValue
  if (schema === durationOfFaults) Object.assign(json, delay.meta())
}
