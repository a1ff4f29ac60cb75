import { didYouMean } from './text.js'

/**
 * What an option may be, as alternatives: `string|list`; `any` where whoever uses the value checks it. A list has the
 * texts it may be.
 */
export type OptionTypes<Options> = { readonly [Name in keyof Required<Options>]: string | readonly string[] }

const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a whole number from 0',
  boolean: 'true or false',
  function: 'a function',
  list: 'a list',
  object: 'an object',
  bytes: 'bytes',
}

/**
 * Refuses options that a function does not have, and values of another type; what is undefined is left out.
 * @throws TypeError naming the call, the option, and what was meant
 */
export function checkOptions<Options>(call: string, given: Options, types: OptionTypes<Options>): void {
  const names = Object.keys(types)
  if (typeOf(given) !== 'object') {
    throw new TypeError(`${call} takes an object with ${names.slice(0, 3).join(', ')} …, not ${show(given)}.`)
  }
  for (const [name, value] of Object.entries(given as object)) {
    if (!Object.hasOwn(types, name)) {
      const hint = didYouMean(name, names) || `; it takes ${names.join(', ')}.`
      throw new TypeError(`${call} has no option "${name}"${hint}`)
    }
    if (value === undefined) continue
    const type = types[name as keyof Options]
    if (typeof type !== 'string') {
      checkText(`${call}: ${name}`, value, type)
      continue
    }
    const wanted = type.split('|')
    if (wanted.includes('any') || wanted.includes(typeOf(value))) continue
    const nounsOfWanted = wanted.map((type) => nouns[type]).join(' or ')
    throw new TypeError(`${call}: ${name} must be ${nounsOfWanted}, not ${show(value)}.`)
  }
}

/** Refuses what is none of some texts. @throws TypeError naming what was meant */
export function checkText(what: string, value: unknown, known: readonly string[]): void {
  if (typeof value === 'string' && known.includes(value)) return
  const hint =
    (typeof value === 'string' && didYouMean(value, known)) || `; expected one of ${known.join(', ')}.`
  throw new TypeError(`${what} cannot be ${show(value)}${hint}`)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  // Those of another realm, such as a test's, are of another class.
  if (ArrayBuffer.isView(value)) return 'bytes'
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? 'number' : 'other number'
  return typeof value
}

function show(value: unknown): string {
  const type = typeOf(value)
  if (type === 'string') return `the string ${JSON.stringify(value).slice(0, 60)}`
  return ['number', 'other number', 'boolean', 'null', 'undefined'].includes(type)
    ? String(value)
    : (nouns[type] ?? type)
}
