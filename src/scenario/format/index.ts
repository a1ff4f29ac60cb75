import { z } from '../../contract/schema.js'
import { deliveryFormatSchema } from '../../world/index.js'
import { expectation } from './expectation.js'
import { furtherOrganization, organization, ownedFields } from './organization.js'
import { scenarioReadingsSchema } from './reading-choices.js'
import { timelineEntry } from './timeline.js'
import { addressPattern, instant, locale, path } from './values.js'

const extensionName = z.string().min(1)

/** The format of scenario files. */
export const scenarioSchema = z
  .strictObject({
    $schema: z
      .string()
      .optional()
      .describe('The JSON Schema by which editors complete and explain the file.'),
    scenario: z.string().min(1).describe('The name of the scenario.'),
    describe: z.string().optional().describe('What happens, in a sentence.'),
    seed: z.int().min(0).default(1).describe('What every generated value hangs on.'),
    start: instant.default('2026-01-05T09:00:00Z').describe('The instant the story begins.'),
    locale: locale.default('en').describe('The language of names and of generated mail.'),
    readings: scenarioReadingsSchema
      .optional()
      .describe('How silent points of the interface are read: a profile, a file, or readings by gap.'),
    extend: z
      .union([extensionName, z.array(extensionName)], {
        error: 'expected a file such as ./operations.ts, or common',
      })
      .optional()
      .describe('Operations beyond the documented ones: files beside this one, or `common`.'),
    organization: organization.prefault({}).describe('Whose agents the scenario is about.'),
    ...ownedFields,
    rows: path
      .optional()
      .describe('A file of rows, as `scenarios import` writes it: they belong to the organization.'),
    organizations: z
      .array(furtherOrganization)
      .default([])
      .describe('Further organizations, each with its own keys, identities and webhooks.'),
    delivery_format: deliveryFormatSchema()
      .optional()
      .describe('How deliveries look, where the service has published it: headers, and what is signed.'),
    bounces: z
      .array(addressPattern)
      .default([])
      .describe('Addresses, `*` for any characters, at which mail from any agent comes back.'),
    timeline: z.array(timelineEntry).default([]).describe('What happens after the start.'),
    expect: z.array(expectation).default([]).describe('What must be true when the story is over.'),
  })
  .meta({ title: 'Scenario', description: 'A whole file. Only `scenario` has to be there.' })

/** A scenario as people write it. */
export type ScenarioInput = z.input<typeof scenarioSchema>
/** A scenario with its defaults filled in. */
export type Scenario = z.output<typeof scenarioSchema>
/** An organization of a scenario. */
export type ScenarioOrganization = Scenario['organizations'][number]
/** An identity of a scenario. */
export type ScenarioIdentity = Scenario['identities'][number]
/** A thread of a scenario. */
export type ScenarioThread = ScenarioIdentity['threads'][number]
/** A message of a scenario. */
export type ScenarioMessage = ScenarioThread['messages'][number]
/** An attachment of a scenario. */
export type ScenarioAttachment = NonNullable<ScenarioMessage['attachments']>[number]
/** How a mailbox is filled with generated threads. */
export type ScenarioGenerate = NonNullable<ScenarioIdentity['generate']>
/** A webhook subscription of a scenario. */
export type ScenarioWebhook = Scenario['webhooks'][number]
/** Something that happens after the start. */
export type ScenarioTimelineEntry = Scenario['timeline'][number]
/** Something that must be true at the end. */
export type ScenarioExpectation = Scenario['expect'][number]
