import { expectedOneOf, shorten, wildcard } from '../../base/text.js'
import type { SchemaObject } from '../../contract/openapi/document.js'

/** What a client is told about a tool. @see MCP, Tool */
export interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema 2020-12. */
  readonly inputSchema: SchemaObject
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly idempotentHint: boolean
    readonly destructiveHint: boolean
  }
}

/** Who calls a tool, and from where. */
export interface Caller {
  /** The bearer key, which selects the world. */
  readonly key: string | undefined
  /** The part of URLs before the path, e.g. `http://127.0.0.1:4280`. */
  readonly base: string
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal
}

/** The arguments of a call, by name. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** The result of a call. @see MCP, CallToolResult */
export interface ToolResult {
  readonly content: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  )[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: true
}

/** A tool that clients can call. */
export interface Tool extends ToolDescription {
  /** Calls the tool. @throws Error when no response arrives, which the client sees as an error of the protocol */
  call(input: ToolArguments, caller: Caller): Promise<ToolResult>
}

/** Creates a result that is an error, with some texts. */
export function errorResult(...texts: string[]): ToolResult {
  return { content: texts.map((text) => ({ type: 'text', text })), isError: true }
}

/** Which tools clients are offered. */
export interface ToolOptions {
  /**
   * The names of the tools, with `*` for any characters; `!` before a name leaves tools out, and the last that applies
   * counts. All by default. @example ['threads_list', 'messages_*', '!messages_forward']
   */
  readonly tools?: readonly string[] | undefined
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
