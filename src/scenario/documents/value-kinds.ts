import type { z } from '../../contract/schema.js'
import { faultSchema } from '../../world/index.js'
import { scenarioReadingsSchema } from '../format/reading-choices.js'
import * as values from '../format/values.js'

/** What tools say of a kind of text. */
export interface ValueKind {
  readonly title: string
  /** What it is, in a sentence. */
  readonly about: string
  /** A regular expression that fits whatever is allowed, and little else. */
  readonly pattern?: string
  readonly examples?: readonly string[]
}

const span = '(\\d+(\\.\\d+)?(ms|s|m|h|d|w))+'
const day = '\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:?\\d\\d))?'

/** The kinds of text the format tells apart. */
const kinds = {
  template: {
    title: 'template',
    about: 'Text in which Faker fills in what stands in double braces: `{{person.fullName}}`.',
  },
  time: {
    title: 'time',
    about: 'A span of time before or after the start, or an instant.',
    pattern: `^(-?${span}|${day})$`,
    examples: ['-2d', '-3h30m', '2026-01-05T09:00:00Z'],
  },
  instant: {
    title: 'instant',
    about: 'ISO 8601 with its zone, or a day, which begins at midnight UTC.',
    pattern: `^${day}$`,
    examples: ['2026-01-05T09:00:00Z', '2026-01-05'],
  },
  duration: {
    title: 'duration',
    about: 'Numbers with units: `w`, `d`, `h`, `m`, `s`, `ms`.',
    pattern: `^(?=.*[1-9])${span}$`,
    examples: ['90d', '1h30m', '30s'],
  },
  delay: {
    title: 'delay',
    about: 'A duration that may be none at all.',
    pattern: `^${span}$`,
    examples: ['30s', '5m', '0s'],
  },
  name: { title: 'name', about: 'What other parts of the file call it by.', examples: ['refund'] },
  handle: {
    title: 'handle',
    about: "An agent's handle: 1 to 64 letters, digits, `_`, `.` or `-`.",
    examples: ['support'],
  },
  address: {
    title: 'address',
    about: 'A bare email address.',
    pattern: '^[^\\s<>@]+@[^\\s<>@]+$',
    examples: ['support@agents.example'],
  },
  addressPattern: {
    title: 'address pattern',
    about: 'A bare email address, or many of them: `*` stands for any characters.',
    pattern: '^[^\\s<>@]+@[^\\s<>@]+$',
    examples: ['*@invalid.example', 'ann@example.com'],
  },
  path: {
    title: 'path',
    about: 'Where a file or a folder is, seen from the scenario.',
    examples: ['./mail/question.eml'],
  },
  profile: {
    title: 'profile or file',
    about: 'A profile of readings, or the path of a file of them.',
    examples: ['default', 'worst-case', 'seed:7', './readings.yaml'],
  },
} as const satisfies Record<string, ValueKind>

/** The kinds of text the format tells apart. */
export const valueKinds: readonly ValueKind[] = Object.values(kinds)

const kindOf: ReadonlyMap<z.core.$ZodType, ValueKind> = new Map<z.core.$ZodType, ValueKind>([
  [values.template, kinds.template],
  [values.moment, kinds.time],
  [values.instant, kinds.instant],
  [values.duration, kinds.duration],
  [values.delay, kinds.delay],
  [faultSchema().shape.drip.unwrap(), kinds.delay],
  [values.key, kinds.name],
  [values.handle, kinds.handle],
  [values.address, kinds.address],
  [values.addressPattern, kinds.addressPattern],
  [values.path, kinds.path],
  [scenarioReadingsSchema.options[0], kinds.profile],
])

/** What kind of text a schema is of; undefined where it is of none. */
export function valueKindOf(schema: z.core.$ZodType): ValueKind | undefined {
  const { parent } = schema._zod
  return kindOf.get(schema) ?? (parent && valueKindOf(parent))
}
