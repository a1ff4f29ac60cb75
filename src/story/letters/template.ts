import { expectedOneOf } from '../../base/text.js'
import { hashText, type Random } from '../../service/time/random.js'

/** The facts that a letter may mention, by name; the lists to draw from are among them. */
export interface Facts {
  agent_name?: unknown
  full_name?: unknown
  titles?: unknown
  writer?: unknown
  [name: string]: unknown
}

/**
 * A compiled template; `value` is the one that a format is applied to. Only facts draw: letters are written without a random source.
 * @throws LetterError for what it mentions and does not find
 */
export type Template = (facts: Facts, random?: Random, value?: unknown) => unknown

/** Converts a value, as after the colon in `{price:round}`. */
export type Conversion = (value: unknown) => unknown

/** What templates may use besides facts. */
export interface Vocabulary {
  readonly conversions: Readonly<Record<string, Conversion>>
  /** Conversions that are templates; in them the value is called `value`. */
  readonly formats: Readonly<Record<string, string>>
  /** Texts that are inserted before a template is parsed. */
  readonly parts: Readonly<Record<string, string>>
}

/** A template that cannot be filled in; the message says why. */
export class LetterError extends Error {
  override readonly name = 'LetterError'
}

const units: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }
const maxPartDepth = 5
const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
}

/** Compiles a template such as `Order {order} of {arrived_at:day}`. @throws LetterError */
export function compileTemplate(text: string, vocabulary: Vocabulary): Template {
  return new Parser(insertParts(text, vocabulary.parts), vocabulary).whole()
}

/** Replaces `{name}` with the part of that name. @throws LetterError for parts that contain themselves */
function insertParts(text: string, parts: Vocabulary['parts'], depth = 0): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (part === undefined) return placeholder
    if (depth === maxPartDepth) throw new LetterError(`the part "${name}" contains itself`)
    return insertParts(part.trimEnd(), parts, depth + 1)
  })
}

/** Returns the field of that name. @throws LetterError */
function fieldOf(fields: object, name: string, of = ''): unknown {
  const found = (fields as Facts)[name]
  if (found !== undefined) return found
  const known: string[] = []
  for (const key in fields) if ((fields as Facts)[key] !== undefined) known.push(key)
  throw new LetterError(
    `${of ? `"${of}" has no "${name}"` : `there is no "${name}"`}${expectedOneOf(name, known)}`,
  )
}

/** Returns the random source of facts. @throws LetterError in letters */
function drawing(random: Random | undefined): Random {
  if (random) return random
  throw new LetterError('only facts are drawn; draw it under "facts" and mention that')
}

/** Reads a template from left to right, with a method for each rule of its grammar. */
class Parser {
  readonly #text: string
  readonly #vocabulary: Vocabulary
  #at = 0

  constructor(text: string, vocabulary: Vocabulary) {
    this.#text = text
    this.#vocabulary = vocabulary
  }

  whole(): Template {
    const template = this.#template()
    if (this.#at < this.#text.length) throw new LetterError('there is a "}" without a "{" before it')
    return template
  }

  #template(): Template {
    const pieces: Template[] = []
    for (;;) {
      const [literal] = this.#read(/(?:[^{}\\]|\\[{}]?)+/y) ?? []
      const text = literal?.replace(/\\([{}])/g, '$1')
      if (text !== undefined) pieces.push(() => text)
      else if (this.#read(/\{/y)) pieces.push(this.#placeholder())
      else break
    }
    const [only] = pieces
    // A single placeholder keeps its value; anything else is text.
    if (only && pieces.length === 1) return only
    return (facts, random, value) => pieces.map((piece) => String(piece(facts, random, value))).join('')
  }

  /** `order`, `cents / 4:round:money`, `gender ? female {ravie} other {ravi}` */
  #placeholder(): Template {
    let template = this.#sum()
    while (this.#read(/\s*:/y)) template = this.#converted(template)
    if (this.#read(/\s*\?/y)) template = this.#choice(template)
    this.#expect(/\s*\}/y, '"}"')
    return template
  }

  #sum(): Template {
    return this.#calculation(/\s*([+-])/y, () => this.#calculation(/\s*([*/])/y, () => this.#operand()))
  }

  #calculation(signs: RegExp, operand: () => Template): Template {
    let left = operand()
    for (;;) {
      const [, sign] = this.#read(signs) ?? []
      const operate = operators[sign ?? '']
      if (!operate) return left
      const [a, b] = [left, operand()]
      left = (f, r, v) => operate(Number(a(f, r, v)), Number(b(f, r, v)))
    }
  }

  /** `(sum)`, `3d`, `2..40s`, `any carriers`, `any trades by company`, `any goods but first`, `shop.name` */
  #operand(): Template {
    if (this.#read(/\s*\(/y)) {
      const inner = this.#sum()
      this.#expect(/\s*\)/y, '")"')
      return inner
    }
    const amount = this.#read(/\s*(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))?(s|min|h|d)?(?!\w)/y)
    if (amount) return amountOf(amount)
    if (this.#read(/\s*any(?=\s)/y)) {
      const list = this.#path()
      const [, word] = this.#read(/\s+(by|but)(?=\s)/y) ?? []
      return itemOf(list, word, word === undefined ? undefined : this.#path())
    }
    const { name, value } = this.#path()
    return (facts, random, of) => {
      const found = value(facts, random, of)
      if (!Array.isArray(found)) return found
      throw new LetterError(`"${name}" is a list; "any ${name}" is one of its items`)
    }
  }

  #path(): Path {
    const [, path = ''] = this.#expect(
      /\s*([\p{L}_][\p{L}\d_]*(?:\.[\p{L}_][\p{L}\d_]*)*)/uy,
      'a name or a number',
    )
    const [name = '', ...keys] = path.split('.')
    const value: Template = (facts, _, of) => {
      const fact = name === 'value' && of !== undefined ? of : fieldOf(facts, name)
      return keys.reduce((fields: unknown, key) => fieldOf(Object(fields), key, name), fact)
    }
    return { name, value }
  }

  #converted(template: Template): Template {
    const { conversions, formats } = this.#vocabulary
    const [, name = ''] = this.#expect(/\s*(0+|[\p{L}_][\p{L}\d_]*)/uy, 'the name of a format after ":"')
    if (name.startsWith('0')) return (f, r, v) => String(template(f, r, v)).padStart(name.length, '0')
    const format = formats[name]
    if (format !== undefined) {
      const { [name]: _, ...others } = formats
      const inner = compileTemplate(format, { ...this.#vocabulary, formats: others })
      return (f, r, v) => inner(f, undefined, template(f, r, v))
    }
    const convert = conversions[name]
    if (convert) return (f, r, v) => convert(template(f, r, v))
    const known = [...Object.keys(conversions), ...Object.keys(formats)]
    throw new LetterError(`there is no format "${name}"${expectedOneOf(name, known)}`)
  }

  #choice(template: Template): Template {
    const options: { readonly fits: Fits; readonly text: Template }[] = []
    for (;;) {
      const [, key] = this.#read(/\s*([^\s{}]+)\s*\{/y) ?? []
      if (key === undefined) break
      options.push({ fits: fitting(key), text: this.#template() })
      this.#expect(/\}/y, '"}"')
    }
    if (options.length === 0) throw this.#error('a choice such as "female {ravie} other {ravi}"')
    return (facts, random, value) => {
      const found = template(facts, random, value)
      return options.find(({ fits }) => fits(found, facts))?.text(facts, random, value) ?? ''
    }
  }

  /** Reads what a sticky pattern matches here, if it does. */
  #read(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text) ?? undefined
    if (found) this.#at = pattern.lastIndex
    return found
  }

  #expect(pattern: RegExp, what: string): RegExpExecArray {
    const found = this.#read(pattern)
    if (found) return found
    throw this.#error(what)
  }

  #error(expected: string): LetterError {
    const rest = this.#text.slice(this.#at, this.#at + 20).trimStart()
    return new LetterError(
      `expected ${expected}, found ${rest === '' ? 'the end of the text' : JSON.stringify(rest)}`,
    )
  }
}

/** A fact, or a part of one, with the name of the fact. */
interface Path {
  readonly name: string
  readonly value: Template
}

function amountOf([, low = '', high, unit]: RegExpExecArray): Template {
  const factor = unit === undefined ? 1 : (units[unit] as number)
  const [from, to] = [Number(low), Number(high ?? low)]
  if (to < from) throw new LetterError(`expected the smaller number first, found "${low}..${high}"`)
  if (high === undefined) return () => from * factor
  const isWhole = Number.isInteger(from) && Number.isInteger(to)
  return (_, random) => {
    const source = drawing(random)
    return (isWhole ? source.integer(from, to) : from + source.next() * (to - from)) * factor
  }
}

/** Draws an item of a list: the same one for the same value, or another one than it. */
function itemOf(list: Path, word: string | undefined, given: Path | undefined): Template {
  return (facts, random, of) => {
    const items = list.value(facts, random, of)
    if (!Array.isArray(items) || items.length === 0) throw new LetterError(`"${list.name}" is not a list`)
    const value = given?.value(facts, random, of)
    if (word === 'by') return items[hashText(String(value))[0] % items.length]
    if (!given) return drawing(random).pick(items)
    return items[(items.indexOf(value) + drawing(random).integer(1, items.length - 1)) % items.length]
  }
}

type Fits = (value: unknown, facts: Facts) => boolean

/** Returns what a key of a choice fits: a value, a range of numbers, `=` and another fact, or `other`. */
function fitting(key: string): Fits {
  if (key === 'other') return () => true
  if (key.startsWith('=')) return (value, facts) => value === fieldOf(facts, key.slice(1))
  const [, low, high] = /^(\d*)\.\.(\d*)$/.exec(key) ?? []
  if (low === undefined) return (value) => String(value) === key
  const most = high === '' ? Number.POSITIVE_INFINITY : Number(high)
  return (value) => Number(low) <= Number(value) && Number(value) <= most
}
