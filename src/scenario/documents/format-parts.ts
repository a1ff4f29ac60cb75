import { z } from '../../contract/schema.js'
import { scenarioSchema } from '../format/index.js'

/** A part of the format that goes by a name: a section of the reference, a definition of the JSON Schema. */
export interface FormatPart {
  readonly name: string
  readonly title: string
  /** What it is, in a sentence or two. */
  readonly about: string
  readonly schema: z.core.$ZodType
}

type PartText = readonly [path: string, title: string, about: string]

const mailbox = 'identities[].threads[].messages[]'

/** Where each part first stands, as a path in a scenario: `[]` is an entry of a list, `*` a value of any key. */
const parts: Readonly<Record<string, PartText>> = {
  scenario: ['', 'Scenario', 'A whole file. Only `scenario` has to be there.'],
  organization: ['organization', 'Organization', 'Whose agents the scenario is about.'],
  identity: ['identities[]', 'Identity', 'An agent with its mailbox.'],
  thread: ['identities[].threads[]', 'Thread', 'A written thread.'],
  message: [mailbox, 'Message', 'A message of a written thread.'],
  attachment: [`${mailbox}.attachments[]`, 'Attachment', 'A file that goes with a message.'],
  generate: ['identities[].generate', 'Generated mail', 'How a mailbox is filled with correspondence.'],
  webhook: ['webhooks[]', 'Webhook', 'A subscription to events.'],
  further_organization: [
    'organizations[]',
    'Further organization',
    'Another organization of the same service, to test that nobody sees the mail of somebody else.',
  ],
  readings: ['readings', 'Readings', 'How silent points of the interface are read: for each gap a reading.'],
  timeline_entry: [
    'timeline[]',
    'Timeline entry',
    'Something that happens after the start: one of `after` and `at`, and one thing that happens.',
  ],
  receive: ['timeline[].receive', 'receive', 'Mail comes in.'],
  send: ['timeline[].send', 'send', 'An agent sends mail.'],
  outcome: ['timeline[].bounce', 'deliver and bounce', 'What becomes of mail that an agent sent.'],
  update: ['timeline[].update', 'update', 'An identity changes.'],
  fault: ['timeline[].fault', 'fault', 'A rule that disturbs answers: which requests, and how.'],
  expectation: [
    'expect[]',
    'Expectation',
    'Something that must be true when the story is over: about a message, a thread, an identity, requests, ' +
      'deliveries, reliances or errors.',
  ],
  where: ['expect[].where', 'where', 'Which requests are meant.'],
  field_matcher: [
    'expect[].has.*',
    'Field matcher',
    'What is said of a field of an agent, a thread or a message that is not given as such; all of it has to be so.',
  ],
  matcher: [
    'expect[].where.path',
    'Matcher',
    'What is said of something in a request that is not given as such; all of it has to be so.',
  ],
  parameter: [
    'expect[].where.query.*',
    'Parameter matcher',
    'What is said of a parameter of the query that is not given as such: as of anything in a request, or that it is ' +
      'the id of a thread, `thread_id: { thread: refund }`.',
  ],
}

/** Every part of the format that goes by a name, the whole first. */
export function formatParts(): FormatPart[] {
  return Object.entries(parts).map(([name, [path, title, about]]) => {
    return { name, title, about, schema: schemaAt(path) }
  })
}

function schemaAt(path: string): z.core.$ZodType {
  const steps = path.match(/\w+|\[\]|\*/g) ?? []
  const schema = steps.reduce<z.core.$ZodType>(child, scenarioSchema)
  return formsOf(schema).find(isComposed) ?? schema
}

function child(schema: z.core.$ZodType, step: string): z.core.$ZodType {
  for (const form of formsOf(schema)) {
    if (step === '[]' && form instanceof z.ZodArray) return form.element as z.core.$ZodType
    if (step === '*' && form instanceof z.ZodRecord) return form.valueType as z.core.$ZodType
    const shape = form instanceof z.ZodObject ? (form.shape as Record<string, z.core.$ZodType>) : {}
    if (shape[step]) return shape[step]
  }
  throw new Error(`The format of scenarios has no "${step}" there.`)
}

function isComposed(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject || schema instanceof z.ZodRecord
}

/** What a value may be: every option of a choice, without what makes it optional. */
function formsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return formsOf(schema.unwrap() as z.core.$ZodType)
  }
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => formsOf(option as z.core.$ZodType))
  return [schema]
}
