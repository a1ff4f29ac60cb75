import type { RE2JS } from 're2js'
import { once } from '../../base/once.js'

/** A regular expression as a scenario has it. */
export interface PatternSource {
  readonly matches: string
  readonly flags: string
}

/** Returns whether a text matches. */
export type TextTest = (text: string) => boolean

/**
 * The engine that takes a time proportional to the length of a text, whatever the pattern. It is loaded when a pattern is
 * first seen that may need it, since few do.
 */
class LinearEngine {
  #engine: typeof RE2JS | undefined
  #loading: Promise<void> | undefined

  load(): Promise<void> {
    this.#loading ??= import('re2js').then(({ RE2JS: engine }) => {
      // It makes its tables at the first use, which takes longer than many patterns.
      engine.compile('(?i)^(a+)+\\p{L}$').test('ab')
      this.#engine = engine
    })
    return this.#loading
  }

  /** Returns the test of a pattern; undefined if the engine is not loaded yet, or if it has no linear form. */
  testOf({ matches, flags }: PatternSource): TextTest | undefined {
    const engine = this.#engine
    if (!engine || differs({ matches, flags })) return undefined
    try {
      const prefix = flags === '' ? '' : `(?${flags})`
      const pattern = engine.compile(prefix + engine.translateRegExp(withJavaScriptClasses(matches, flags)))
      if (!flags.includes('m')) return (text) => pattern.test(text)
      return (text) => pattern.test(text.replace(otherLineBreak, '\n'))
    } catch {
      // A reference to a group, or a condition on what is around a match.
      return undefined
    }
  }
}

export const linearEngine = once(() => new LinearEngine())

/** Returns whether JavaScript understands a pattern otherwise. */
function differs({ matches, flags }: PatternSource): boolean {
  // A letter in either case is "not an uppercase letter" then.
  if (flags.includes('i') && matches.includes('\\P')) return true
  // One kind of line breaks stands for all of them then.
  return flags.includes('m') && /\\[nrux]|[\n\r\u2028\u2029]/.test(matches)
}

/** Returns whether matching may take more than a time proportional to the length of a text: something repeated within or beside another. */
export function mayBacktrack(pattern: string): boolean {
  return /[*+?{].*[*+?{]|\)[*+?{]/s.test(pattern)
}

/** Spaces and line breaks of JavaScript, some of which are none for the engine. */
const space =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const noSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
/** What separates lines for JavaScript only. */
const otherLineBreak = /[\r\u2028\u2029]/g
const noLineBreak = '[^\\n\\r\\x{2028}\\x{2029}]'

/** Writes out the classes that the engine understands otherwise: `\s`, `\S` and `.`. */
function withJavaScriptClasses(pattern: string, flags: string): string {
  let isInClass = false
  return pattern.replace(/\\.|[[\].]/gsu, (token) => {
    if (token === '[' || token === ']') isInClass = token === '['
    else if (token === '.') return isInClass || flags.includes('s') ? token : noLineBreak
    else if (token === '\\s') return isInClass ? space : `[${space}]`
    else if (token === '\\S') return isInClass ? noSpace : `[${noSpace}]`
    return token
  })
}
