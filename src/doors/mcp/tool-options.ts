import { expectedOneOf, shorten, wildcard } from '../../base/text.js'

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
