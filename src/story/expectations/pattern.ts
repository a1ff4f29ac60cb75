import { once } from '../../base/once.js'
import { processorStopwatch } from '../../service/time/wall-time.js'

/** The processor time that a pattern may take for a text, in milliseconds. */
const limit = 250

/** A pattern of a story that could not be matched, so that nothing can be said of what it is expected of. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/** Returns whether a text matches. @throws an error of Node when that takes longer than the limit */
type Test = (pattern: { readonly source: string; readonly flags: string; readonly text: string }) => boolean

/**
 * Matches in a context of its own, since Node can interrupt what runs in one; all patterns share it, since each context takes half
 * a megabyte. A browser has none.
 */
const test = once((): Test => {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> }
  const vm = process?.getBuiltinModule?.('node:vm')
  if (!vm) return ({ source, flags, text }) => new RegExp(source, flags).test(text)
  const context = vm.createContext({})
  const script = new vm.Script('new RegExp(source, flags).test(text)')
  return (pattern) => {
    return script.runInContext(Object.assign(context, pattern), { timeout: limit }) === true
  }
})

/**
 * Returns whether a text matches a regular expression of a story. Some take exponential time for some texts, and matching blocks
 * the whole process.
 * @throws PatternError if it takes longer than 250 ms
 */
export function matchesPattern(source: string, flags: string, text: string): boolean {
  const used = processorStopwatch()
  for (;;) {
    try {
      return test()({ source, flags: `u${flags}`, text })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const isTimeout = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      // Other programs had the processor: a verdict does not depend on how busy the machine is.
      if (isTimeout && used() < limit) continue
      const why = isTimeout
        ? `took longer than ${limit} ms for a text of ${text.length} characters; simplify it`
        : `could not be matched: ${message}`
      throw new PatternError(`the pattern /${source}/ ${why}`)
    }
  }
}
