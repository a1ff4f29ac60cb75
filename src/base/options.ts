import { explainValue } from './explain.js'
import { isJsonObject } from './json.js'
import { once } from './once.js'
import { z } from './schema.js'
import { listOf } from './text.js'

/** A schema for each option of an options object. */
type Schemas<Options> = { readonly [Name in keyof Required<Options>]: z.ZodType }

/** The schema of an options object, which is created when it is first needed. */
export type OptionsSchema<Options> = () => z.ZodObject<Schemas<Options>>

/** Defines the schema of an options object, in which all except the `required` options may be left out. */
export function defineOptions<Options>(
  schemas: () => Schemas<Options>,
  required: readonly (keyof Options & string)[] = [],
): OptionsSchema<Options> {
  return once(() => {
    const given = Object.entries<z.ZodType>(schemas())
    const options = given.map(([name, schema]) => {
      return [name, required.some((one) => one === name) ? schema : schema.optional()]
    })
    return z.strictObject(Object.fromEntries(options)) as unknown as z.ZodObject<Schemas<Options>>
  })
}

/**
 * Refuses unknown options, values of the wrong type, and the absence of a required option.
 * @throws TypeError that names the call, the option, and what was probably meant
 */
export function checkOptions<Options>(call: string, options: Options, schema: OptionsSchema<Options>): void {
  if (Object(options) !== options || typeof options === 'function') {
    const names = listOf(Object.keys(schema().shape).slice(0, 3))
    throw new TypeError(`${call} takes an object with ${names} …, not ${JSON.stringify(options)}.`)
  }
  if (!schema().safeParse(options).success) {
    throw new TypeError(`${call}: ${explainValue(schema(), options)}`)
  }
}

/** Refuses a value that is not one of some strings. @throws TypeError that names what was probably meant */
export function checkText(what: string, value: unknown, known: readonly string[]): void {
  const schema = z.enum(known)
  if (!schema.safeParse(value).success) throw new TypeError(`${what}: ${explainValue(schema, value)}`)
}

/** Schemas of options that zod's schemas do not cover, or for which they would copy the value. */
export const option = {
  any: () => z.unknown(),
  text: () => z.string(),
  flag: () => z.boolean(),
  count: () => z.int('expected a whole number from 0').min(0, 'expected a whole number from 0'),
  texts: () => z.array(z.string()),
  list: (example?: string) => {
    const expected = example === undefined ? 'expected a list' : `expected a list, such as ${example}`
    return z.custom<readonly unknown[]>((value) => Array.isArray(value), expected)
  },
  object: () => z.custom<object>(isJsonObject, 'expected an object'),
  callback: () => z.custom<() => void>((value) => typeof value === 'function', 'expected a function'),
  // Not by `instanceof`: arrays of another realm, such as Jest's, have another class.
  bytes: () => z.custom<Uint8Array>((value) => ArrayBuffer.isView(value), 'expected bytes'),
  oneOf: (known: readonly string[]) => z.enum(known),
  either: (...alternatives: z.ZodType[]) => z.union(alternatives),
  /** An option that messages do not name, because it is not part of the public interface. */
  internal: () => z.unknown().meta({ internal: true }),
}
