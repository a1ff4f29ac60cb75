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
const amountPattern = /(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))?(s|min|h|d)?(?!\w)/y
const namePattern = /[\p{L}_][\p{L}\d_]*/uy
const conversionPattern = /0+|[\p{L}_][\p{L}\d_]*/uy
const keyPattern = /[^\s{}]+/y
const maxPartDepth = 5
const operators = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
}

/** Compiles a template such as `Order {order} of {arrived_at:day}`. @throws LetterError */
export function compileTemplate(text: string, vocabulary: Vocabulary): Template {
  return new Parser(insertParts(text, vocabulary.parts), vocabulary).whole()
}

/** Returns the text of a compiled template. */
export function renderText(template: Template, facts: Facts): string {
  return String(template(facts))
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

/** Returns a fact by its name. @throws LetterError */
function factNamed(facts: Facts, name: string): unknown {
  const found = facts[name]
  if (found !== undefined) return found
  const known: string[] = []
  for (const key in facts) if (facts[key] !== undefined) known.push(key)
  throw new LetterError(`there is no "${name}"${expectedOneOf(name, known)}`)
}

/** Returns the random source of facts. @throws LetterError in letters */
function drawing(random: Random | undefined): Random {
  if (random) return random
  throw new LetterError('only facts are drawn; draw it under "facts" and mention that')
}

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
      const literal = this.#match(/(?:[^{}\\]|\\[{}]?)+/y)?.replace(/\\([{}])/g, '$1')
      if (literal !== undefined) pieces.push(() => literal)
      else if (this.#take('{')) pieces.push(this.#placeholder())
      else break
    }
    const [only] = pieces
    // A single placeholder keeps its value; anything else is text.
    if (only && pieces.length === 1) return only
    return (facts, random, value) => pieces.map((piece) => String(piece(facts, random, value))).join('')
  }

  #placeholder(): Template {
    let template = this.#sum()
    while (this.#skip(':')) template = this.#converted(template)
    if (this.#skip('?')) template = this.#choice(template)
    this.#expect('}')
    return template
  }

  #sum(): Template {
    return this.#calculation(['+', '-'], () => this.#calculation(['*', '/'], () => this.#operand()))
  }

  #calculation(signs: readonly (keyof typeof operators)[], operand: () => Template): Template {
    let left = operand()
    for (;;) {
      const sign = signs.find((one) => this.#skip(one))
      if (!sign) return left
      const [a, b, operate] = [left, operand(), operators[sign]]
      left = (f, r, v) => operate(Number(a(f, r, v)), Number(b(f, r, v)))
    }
  }

  #operand(): Template {
    if (this.#skip('(')) {
      const inner = this.#sum()
      this.#expect(')')
      return inner
    }
    this.#skipBlanks()
    const amount = this.#exec(amountPattern)
    if (amount) return this.#amount(amount)
    const name = this.#match(namePattern)
    if (name === undefined) throw this.#error('expected a name or a number')
    if (name === 'any' && /\s/.test(this.#text[this.#at] ?? '')) return this.#any()
    const fact = this.#path(name)
    return (facts, random, value) => {
      const found = fact(facts, random, value)
      if (Array.isArray(found))
        throw new LetterError(`"${name}" is a list; "any ${name}" is one of its items`)
      return found
    }
  }

  #amount([, low = '', high, unit]: RegExpExecArray): Template {
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

  /** `any carriers`, `any trades by company`, `any goods but first` */
  #any(): Template {
    const name = this.#name()
    const list = this.#path(name)
    const word = this.#match(/\s+(?:by|but)(?=\s)/y)?.trim()
    const given = word === undefined ? undefined : this.#path(this.#name())
    return (facts, random, of) => {
      const items = list(facts, random)
      if (!Array.isArray(items) || items.length === 0) throw new LetterError(`"${name}" is not a list`)
      const value = given?.(facts, random, of)
      if (word === 'by') return items[hashText(String(value))[0] % items.length]
      if (!given) return drawing(random).pick(items)
      return items[(items.indexOf(value) + drawing(random).integer(1, items.length - 1)) % items.length]
    }
  }

  #path(name: string): Template {
    let fact: Template = (facts, _, value) => {
      return name === 'value' && value !== undefined ? value : factNamed(facts, name)
    }
    while (this.#take('.')) {
      const [whole, key] = [fact, this.#name()]
      fact = (f, r, v) => {
        const fields = Object(whole(f, r, v)) as Facts
        if (Object.hasOwn(fields, key)) return fields[key]
        throw new LetterError(`"${name}" has no "${key}"${expectedOneOf(key, Object.keys(fields))}`)
      }
    }
    return fact
  }

  #converted(template: Template): Template {
    const { conversions, formats } = this.#vocabulary
    this.#skipBlanks()
    const name = this.#match(conversionPattern)
    if (name === undefined) throw this.#error('expected the name of a format after ":"')
    if (name.startsWith('0')) return (f, r, v) => String(template(f, r, v)).padStart(name.length, '0')
    const format = formats[name]
    if (format !== undefined) {
      const { [name]: _, ...others } = formats
      const inner = compileTemplate(format, { ...this.#vocabulary, formats: others })
      return (f, r, v) => inner(f, undefined, template(f, r, v))
    }
    const convert = conversions[name]
    if (!convert) {
      const known = [...Object.keys(conversions), ...Object.keys(formats)]
      throw new LetterError(`there is no format "${name}"${expectedOneOf(name, known)}`)
    }
    return (f, r, v) => {
      const value = template(f, r, v)
      try {
        return convert(value)
      } catch {
        throw new LetterError(`"${name}" needs a time, found "${value}"`)
      }
    }
  }

  /** `female {ravie} other {ravi}` */
  #choice(template: Template): Template {
    const options: { readonly fits: Fits; readonly text: Template }[] = []
    for (;;) {
      this.#skipBlanks()
      const key = this.#match(keyPattern)
      if (key === undefined) break
      const fits = this.#fits(key)
      this.#expect('{')
      options.push({ fits, text: this.#template() })
      this.#expect('}')
    }
    if (options.length === 0) throw this.#error('expected a choice such as "female {ravie} other {ravi}"')
    return (facts, random, value) => {
      const found = template(facts, random, value)
      return options.find(({ fits }) => fits(found, facts))?.text(facts, random, value) ?? ''
    }
  }

  /** A value, the limits of a number, `=` and another fact, or `other`. */
  #fits(key: string): Fits {
    if (key === 'other') return () => true
    if (key.startsWith('=')) {
      const other = new Parser(key.slice(1), this.#vocabulary).#operand()
      return (value, facts) => value === other(facts)
    }
    const limits = /^(\d*)\.\.(\d*)$/.exec(key)
    if (!limits) return (value) => value === key || String(value) === key
    const low = Number(limits[1])
    const high = limits[2] === '' ? Number.POSITIVE_INFINITY : Number(limits[2])
    return (value) => low <= Number(value) && Number(value) <= high
  }

  #name(): string {
    this.#skipBlanks()
    const name = this.#match(namePattern)
    if (name === undefined) throw this.#error('expected a name')
    return name
  }

  #expect(sign: string): void {
    if (!this.#skip(sign)) throw this.#error(`expected "${sign}"`)
  }

  #skip(sign: string): boolean {
    const before = this.#at
    this.#skipBlanks()
    if (this.#take(sign)) return true
    this.#at = before
    return false
  }

  #skipBlanks(): void {
    this.#match(/\s*/y)
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #match(pattern: RegExp): string | undefined {
    return this.#exec(pattern)?.[0]
  }

  #exec(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at += found[0].length
    return found
  }

  #error(expected: string): LetterError {
    const rest = this.#text.slice(this.#at, this.#at + 20)
    return new LetterError(`${expected}, found ${rest === '' ? 'the end of the text' : JSON.stringify(rest)}`)
  }
}

type Fits = (value: unknown, facts: Facts) => boolean
