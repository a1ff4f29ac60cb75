import { gapIds } from '../src/contract/gaps.js'
import { expectationKindNames, keysBeside } from '../src/story/expectations/kinds.js'
import { createScenarioJsonSchema, type JsonSchema } from '../src/story/format/scenario.js'
import * as values from '../src/story/format/values.js'

/** Formats the JSON Schema of scenario files as a page of Markdown. */
export function formatScenarioDocument(): string {
  const { $defs = {}, ...whole } = createScenarioJsonSchema()
  const parts = Object.entries({ scenario: { ...whole, title: 'Scenario' }, ...$defs })
  const words = wordsFor(($ref) => {
    const title = parts.find(([name]) => $ref.endsWith(`/${name}`))?.[1].title ?? $ref
    return `[${title}](#${anchorOf(title)})`
  })
  const titles = [...parts.map(([, { title = '' }]) => title), textTitle]
  const contents = titles.map((title) => `- [${title}](#${anchorOf(title)})`).join('\n')
  const sections = parts.map(([name, part]) => formatPart(name, part, words))
  return `${[introduction, contents, ...sections, formatKinds()].join('\n\n')}\n`
}

const introduction = `<!-- Generated from src/story. To update it: npx vitest run test/scenario-format-document.test.ts -u -->

# The format of scenario files

This page lists every key of a scenario file. [scenarios.md](scenarios.md) is the guide, with examples.
\`agent-mailbox-sim scenarios schema\` prints the same format as JSON Schema, for editors.

This page is generated from the schema in \`src/story/format\` that scenario files are checked with.`

const textTitle = 'Kinds of text'

/** Returns the anchor that Markdown renderers give a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-')
}

type Words = (schema: JsonSchema) => string

function formatPart(name: string, part: JsonSchema, words: Words): string {
  const head = `## ${part.title}\n\n${part.description}`
  // The register of gaps has a page of its own.
  if (name === 'assumptions') return `${head} [gaps.md](gaps.md) has them all.`
  const rows = rowsOf(part, '', words).join('\n')
  const table = `${head}\n\n| key | type | default | meaning |\n|---|---|---|---|\n${rows}`
  return name === 'expectation' ? `${table}\n\n${formatBeside()}` : table
}

/** Returns the rows for the keys of a part, including those of unnamed parts inside it. */
function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix: string, words: Words): string[] {
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([key, schema]) => {
    const otherwise = required.includes(key) ? 'required' : defaultOf(schema)
    const row = rowOf([code(`${prefix}${key}`), words(schema), otherwise, schema.description ?? ''])
    return [row, ...rowsOf(schema, `${prefix}${key}.`, words)]
  })
}

/** Returns the default of a key; empty if it has none, or if its description says it. */
function defaultOf({ default: value }: JsonSchema): string {
  if (value === undefined) return ''
  return code(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Formats the table of the keys that each kind of expectation accepts. */
function formatBeside(): string {
  const rows = expectationKindNames.map((kind) => {
    const keys = keysBeside(kind)
    return rowOf([code(kind), keys.length === 0 ? 'nothing' : keys.map(code).join(', ')])
  })
  return `It is about the first of these that it has; \`key\` and \`describe\` go with each:\n\n| about | other keys |\n|---|---|\n${rows.join('\n')}`
}

function code(text: string): string {
  return `\`${text}\``
}

function formatKinds(): string {
  const {
    template,
    moment,
    isoInstant,
    duration,
    delay,
    key,
    handle,
    address,
    addressPattern,
    path,
    profile,
  } = values
  const kinds = [
    template,
    moment,
    isoInstant,
    duration,
    delay,
    key,
    handle,
    address,
    addressPattern,
    path,
    profile,
  ]
  const rows = kinds.map((kind) => {
    const { title = '', description = '', examples = [] } = kind.meta() as JsonSchema
    return rowOf([title, description, examples.map((example) => code(String(example))).join(', ')])
  })
  return `## ${textTitle}\n\n| kind | what it is | examples |\n|---|---|---|\n${rows.join('\n')}`
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll('|  |', '| |')
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}

/** Returns a function that describes a JSON Schema in a few words of Markdown; `link` formats its references. */
function wordsFor(link: (reference: string) => string): (schema: JsonSchema) => string {
  return words

  function words(schema: JsonSchema): string {
    const { $ref, anyOf, enum: names, const: only, title } = schema
    if ($ref !== undefined) return link($ref)
    if (title !== undefined) return title
    if (anyOf !== undefined) return anyOf.map((option) => alternative(option as JsonSchema)).join(' or ')
    if (only !== undefined) return `\`${only}\``
    if (names !== undefined) return wordsOfNames(names)
    return wordsOfType(schema)
  }

  function wordsOfType(schema: JsonSchema): string {
    const { type, minimum, maximum, format, contentEncoding } = schema
    if (type === undefined) return 'any JSON'
    if (type === 'array') return wordsOfList(schema)
    if (type === 'object') return wordsOfObject(schema)
    if (type === 'integer' || type === 'number') {
      return `${type === 'integer' ? 'whole number' : 'number'}${rangeOf(minimum, maximum)}`
    }
    if (type === 'string' && format === 'uri') return 'URL'
    if (contentEncoding !== undefined) return contentEncoding
    return [type]
      .flat()
      .map((name) => typeWords[name] ?? name)
      .join(', ')
  }

  function wordsOfList({ prefixItems, items }: JsonSchema): string {
    const entry = (prefixItems?.[0] ?? items ?? {}) as JsonSchema
    return `${prefixItems ? `list of ${prefixItems.length}` : 'list'}: ${words(entry)}`
  }

  function wordsOfObject({ additionalProperties: value }: JsonSchema): string {
    return typeof value === 'object' ? `by name: ${words(value)}` : 'object'
  }

  /** If all known keys have the same type of value, the type is only stated once. */
  function alternative(option: JsonSchema): string {
    const [value] = Object.values(option.properties ?? {}) as JsonSchema[]
    return value ? `by name: ${words(value)}` : words(option)
  }
}

function wordsOfNames(names: readonly unknown[]): string {
  if (names.length === gapIds.length) return 'id of a [gap](gaps.md)'
  return names.map((name) => `\`${name}\``).join(', ')
}

function rangeOf(least: number | undefined, most: number | undefined): string {
  if (most === undefined) return least === undefined ? '' : `, ${least} or more`
  return `, ${least ?? 0} to ${most}`
}
