import { explainValue } from './explain.js'
import { z } from './schema.js'
import { expectedOneOf, listOf } from './text.js'

/** The names of the options of a function. */
export type OptionNames<Options> = {
  readonly [Name in keyof Required<Options>]: 'public' | 'required'
}

/**
 * Refuses unknown options, and the absence of a required one; what their values may be is left to TypeScript.
 * @throws TypeError that names the call, the option, and what was probably meant
 */
export function checkOptions<Options>(call: string, options: Options, names: OptionNames<Options>): void {
  checkNames(call, options, Object.keys(names))
  const kinds = Object.entries<string>(names)
  const [missing] =
    kinds.find(([name, kind]) => kind === 'required' && Object(options)[name] === undefined) ?? []
  if (missing !== undefined) throw new TypeError(`${call}: ${missing} is missing.`)
}

/** Refuses options with other names than those known. @throws TypeError */
export function checkNames(call: string, options: unknown, known: readonly string[]): void {
  if (Object(options) !== options || typeof options === 'function') {
    const names = listOf(known.slice(0, 3))
    throw new TypeError(`${call} takes an object with ${names} …, not ${JSON.stringify(options)}.`)
  }
  const unknown = Object.keys(options as object).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new TypeError(`${call}: unknown key "${unknown}"${expectedOneOf(unknown, known)}`)
}

/** Refuses a value that is not one of some strings. @throws TypeError that names what was probably meant */
export function checkText(what: string, value: unknown, known: readonly string[]): void {
  const schema = z.enum(known)
  if (!schema.safeParse(value).success) throw new TypeError(`${what}: ${explainValue(schema, value)}`)
}

/** Refuses names of which one is unknown: it would never match. @throws TypeError that names what was probably meant */
export function checkKnown(what: string, names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    if (!known.includes(name))
      throw new TypeError(`There is no ${what} "${name}"${expectedOneOf(name, known, '.')}`)
  }
}
