import { expectedOneOf, shorten, wildcard } from '../../base/text.js'
import type { SchemaObject } from '../../contract/openapi/document.js'
import type { ToolDescription } from './tool.js'

/** How much clients are told about the arguments and results of tools. */
export const toolSchemas = ['none', 'input', 'full'] as const

/** Which tools clients are offered, and what they are told about them. */
export interface ToolOptions {
  /**
   * The names of the tools, with `*` for any characters; `!` before a name leaves tools out, and the last that applies
   * counts. All by default. @example ['threads_list', 'messages_*', '!messages_forward']
   */
  readonly tools?: readonly string[] | undefined
  /**
   * `input`, the default: the schema of the arguments. `full`: that of the result, too. `none`: only the names of the
   * arguments, in the description.
   */
  readonly schemas?: (typeof toolSchemas)[number] | undefined
  /** Whether results also have links to the attachments that they contain; false by default. */
  readonly links?: boolean | undefined
}

/** Thrown for a choice of tools that fits none. */
export class ToolError extends TypeError {
  override readonly name = 'ToolError'
}

/** Returns the tools that a choice includes. @throws ToolError for a name that no tool has */
export function chosenTools<Tool extends { readonly name: string }>(
  all: readonly Tool[],
  choice: readonly string[] = [],
): readonly Tool[] {
  const names = all.map(({ name }) => name)
  const rules = choice.map((text) => {
    const isExcluding = text.startsWith('!')
    const pattern = isExcluding ? text.slice(1) : text
    const matches = wildcard(pattern)
    if (!names.some((name) => matches(name))) {
      throw new ToolError(`There is no tool "${shorten(pattern)}"${expectedOneOf(pattern, names, '.')}`)
    }
    return { isExcluding, matches }
  })
  const isAmong = rules[0]?.isExcluding ?? true
  return all.filter(({ name }) => {
    const rule = rules.findLast(({ matches }) => matches(name))
    return rule ? !rule.isExcluding : isAmong
  })
}

/** Returns a tool with only as much about its arguments and results as clients are to be told. */
export function toldOf<Tool extends ToolDescription>(tool: Tool, schemas: ToolOptions['schemas']): Tool {
  if (schemas === 'full') return tool
  const { outputSchema, ...others } = tool
  if (schemas !== 'none') return others as Tool
  const { properties = {}, required = [] } = tool.inputSchema
  const named = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
  const told = named.length === 0 ? '' : ` Arguments: ${named.join(', ')}.`
  const inputSchema: SchemaObject = { type: 'object' }
  return { ...others, inputSchema, description: `${tool.description}${told}` } as Tool
}
