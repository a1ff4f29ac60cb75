import { expectedOneOf } from './text.js'

/**
 * The types of options: alternatives such as `string|list`, `any` if the value is checked elsewhere, or a list of the
 * allowed strings. Messages do not name options that also have the type `internal`.
 */
export type OptionTypes<Options> = { readonly [Name in keyof Required<Options>]: string | readonly string[] }

const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a whole number from 0',
  boolean: 'true or false',
  function: 'a function',
  list: 'a list',
  strings: 'a list of strings',
  object: 'an object',
  bytes: 'bytes',
}

/**
 * Refuses unknown options, values of the wrong type, and the absence of a required option; other undefined values are
 * ignored.
 * @throws TypeError that names the call, the option, and what was probably meant
 */
export function checkOptions<Options>(
  call: string,
  options: Options,
  types: OptionTypes<Options>,
  required: readonly (keyof Options & string)[] = [],
): void {
  const names = Object.keys(types).filter((name) => !types[name as keyof Options].includes('internal'))
  if (typeOf(options) !== 'object') {
    throw new TypeError(
      `${call} takes an object with ${names.slice(0, 3).join(', ')} …, not ${show(options)}.`,
    )
  }
  for (const [name, value] of Object.entries(options as object)) {
    if (!Object.hasOwn(types, name)) {
      throw new TypeError(`${call} has no option "${name}"${expectedOneOf(name, names, '.')}`)
    }
    if (value === undefined) continue
    const type = types[name as keyof Options]
    if (typeof type !== 'string') {
      checkText(`${call}: ${name}`, value, type)
      continue
    }
    const allowed = type.split('|')
    if (allowed.some((one) => one === 'any' || one === typeOf(value) || isStrings(one, value))) continue
    throw new TypeError(`${call}: ${name} must be ${nounsOf(allowed)}, not ${show(value)}.`)
  }
  const missing = required.find((name) => options[name] === undefined)
  if (missing === undefined) return
  const expected = nounsOf(String(types[missing]).split('|'))
  throw new TypeError(`${call}: ${missing} is missing; it must be ${expected}.`)
}

function nounsOf(types: readonly string[]): string {
  return types.flatMap((type) => nouns[type] ?? []).join(' or ')
}

/** Refuses a value that is not one of some strings. @throws TypeError that names what was probably meant */
export function checkText(what: string, value: unknown, known: readonly string[]): void {
  if (typeof value === 'string' && known.includes(value)) return
  throw new TypeError(`${what} cannot be ${show(value)}${expectedOneOf(value, known, '.')}`)
}

function isStrings(type: string, value: unknown): boolean {
  return type === 'strings' && Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  // Not by `instanceof`: arrays of another realm, such as Jest's, have another class.
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
