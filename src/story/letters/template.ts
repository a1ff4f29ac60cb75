import { expectedOneOf } from '../../base/text.js'
import { hashText, type Random } from '../../service/time/random.js'

/** The facts that a letter may mention, by name. */
export interface Facts {
  agent_name?: unknown
  full_name?: unknown
  titles?: unknown
  writer?: unknown
  [name: string]: unknown
}

/** Computes a value; `value` is the one that a format is applied to. */
export type Evaluate = (facts: Facts, random: Random, value?: unknown) => unknown

/** A compiled template. */
export interface Template {
  readonly evaluate: Evaluate
  /** A value like those that `evaluate` returns; names after a dot are checked against it. */
  readonly sample: unknown
}

/** Converts a value, as after the colon in `{price:round}`. */
export type Conversion = (value: unknown) => unknown

/** The names that placeholders may refer to. */
export interface Vocabulary {
  /** A sample of every fact, and the lists to draw from. */
  readonly samples: Readonly<Facts>
  readonly conversions: Readonly<Record<string, Conversion>>
  /** Conversions that are templates; in them the value is called `value`. */
  readonly formats: Readonly<Record<string, string>>
  /** Texts that are inserted before a template is parsed. */
  readonly parts: Readonly<Record<string, string>>
  /** Whether the template may draw random values; only those of facts may. */
  readonly draws: boolean
}

/** A template that cannot be compiled; the message says why. */
export class LetterError extends Error {
  override readonly name = 'LetterError'
}

const units: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }
/** The longest duration that a template may add to a time, in milliseconds: about a thousand years. */
const longestDuration = 365_250 * 86_400_000
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
export function renderText({ evaluate }: Template, facts: Facts): string {
  // Only facts draw, so the random source is not used.
  return String(evaluate(facts, undefined as never))
}

/** Replaces `{name}` with the part of that name. @throws LetterError for parts that contain themselves */
export function insertParts(text: string, parts: Vocabulary['parts'], depth = 0): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (part === undefined) return placeholder
    if (depth === maxPartDepth) throw new LetterError(`the part "${name}" contains itself`)
    return insertParts(part.trimEnd(), parts, depth + 1)
  })
}

/** Converts a text at compile time: a date cannot be made of every text. @throws LetterError */
function tryConversion(name: string, convert: Conversion, sample: string): void {
  try {
    convert(sample)
  } catch {
    throw new LetterError(`"${name}" needs a time, found the text "${sample}"`)
  }
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
      if (literal !== undefined) pieces.push({ evaluate: () => literal, sample: literal })
      else if (this.#take('{')) pieces.push(this.#placeholder())
      else break
    }
    const [only] = pieces
    // A single placeholder keeps its value; anything else is text.
    if (only && pieces.length === 1) return only
    return {
      sample: '',
      evaluate(facts, random, value) {
        let text = ''
        for (const { evaluate } of pieces) text += String(evaluate(facts, random, value))
        return text
      },
    }
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
      const [a, b, operate] = [left.evaluate, operand().evaluate, operators[sign]]
      left = { sample: 0, evaluate: (f, r, v) => operate(Number(a(f, r, v)), Number(b(f, r, v))) }
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
    if (Array.isArray(fact.sample))
      throw new LetterError(`"${name}" is a list; "any ${name}" is one of its items`)
    return fact
  }

  #amount([, low = '', high, unit]: RegExpExecArray): Template {
    const factor = unit === undefined ? 1 : (units[unit] as number)
    const from = Number(low)
    const last = Number(high ?? low)
    if (last < from) throw new LetterError(`expected the smaller number first, found "${low}..${high}"`)
    const most = unit === undefined ? Number.MAX_SAFE_INTEGER : longestDuration / factor
    if (last > most)
      throw new LetterError(`expected at most ${most}${unit ?? ''}, found "${last}${unit ?? ''}"`)
    if (high === undefined) return { evaluate: () => from * factor, sample: 0 }
    this.#mayDraw()
    const to = Number(high)
    const isWhole = Number.isInteger(from) && Number.isInteger(to)
    const draw: Evaluate = isWhole
      ? (_, random) => random.integer(from, to) * factor
      : (_, random) => (from + random.next() * (to - from)) * factor
    return { evaluate: draw, sample: 0 }
  }

  /** `any carriers`, `any trades by company`, `any goods but first` */
  #any(): Template {
    const name = this.#name()
    const { evaluate, sample } = this.#path(name)
    if (!Array.isArray(sample) || sample.length === 0) throw new LetterError(`"${name}" is not a list`)
    const word = this.#match(/\s+(?:by|but)(?=\s)/y)?.trim()
    const given = word === undefined ? undefined : this.#path(this.#name()).evaluate
    if (word !== 'by') this.#mayDraw()
    const draw: Evaluate = (facts, random, of) => {
      const items = evaluate(facts, random) as readonly unknown[]
      if (!given) return random.pick(items)
      const value = given(facts, random, of)
      if (word === 'by') return items[hashText(String(value))[0] % items.length]
      return items[(items.indexOf(value) + random.integer(1, items.length - 1)) % items.length]
    }
    return { sample: sample[0], evaluate: draw }
  }

  #path(name: string): Template {
    const { samples } = this.#vocabulary
    if (!Object.hasOwn(samples, name)) {
      throw new LetterError(`there is no "${name}"${expectedOneOf(name, Object.keys(samples))}`)
    }
    const read: Evaluate = (facts, _, value) => (name === 'value' ? (value ?? facts[name]) : facts[name])
    let fact: Template = { evaluate: read, sample: samples[name] }
    while (this.#take('.')) {
      const { evaluate, sample } = fact
      const key = this.#name()
      const fields = typeof sample === 'object' && sample !== null ? (sample as Facts) : {}
      if (!Object.hasOwn(fields, key)) {
        throw new LetterError(`"${name}" has no "${key}"${expectedOneOf(key, Object.keys(fields))}`)
      }
      fact = { evaluate: (f, r, v) => (evaluate(f, r, v) as Facts)[key], sample: fields[key] }
    }
    return fact
  }

  #converted({ evaluate, sample }: Template): Template {
    const { conversions, formats } = this.#vocabulary
    this.#skipBlanks()
    const name = this.#match(conversionPattern)
    if (name === undefined) throw this.#error('expected the name of a format after ":"')
    if (name.startsWith('0')) {
      return { sample: '', evaluate: (f, r, v) => String(evaluate(f, r, v)).padStart(name.length, '0') }
    }
    const format = formats[name]
    if (format !== undefined) return this.#formatted({ evaluate, sample }, name, format)
    const convert = conversions[name]
    if (convert) {
      if (typeof sample === 'string' && sample !== '') tryConversion(name, convert, sample)
      return { sample: '', evaluate: (f, r, v) => convert(evaluate(f, r, v)) }
    }
    const known = [...Object.keys(conversions), ...Object.keys(formats)]
    throw new LetterError(`there is no format "${name}"${expectedOneOf(name, known)}`)
  }

  /** Compiles a format for each use, since it may mention the facts of that place. */
  #formatted({ evaluate, sample }: Template, name: string, format: string): Template {
    const { [name]: _, ...formats } = this.#vocabulary.formats
    const samples = { ...this.#vocabulary.samples, value: typeof sample === 'string' ? sample : 0 }
    try {
      const inner = compileTemplate(format, { ...this.#vocabulary, formats, samples, draws: false })
      return { sample: '', evaluate: (f, r, v) => inner.evaluate(f, r, evaluate(f, r, v)) }
    } catch (error) {
      if (!(error instanceof LetterError)) throw error
      throw new LetterError(`in the format "${name}": ${error.message}`)
    }
  }

  /** `female {ravie} other {ravi}` */
  #choice({ evaluate }: Template): Template {
    const options: { readonly fits: Fits; readonly text: Evaluate }[] = []
    for (;;) {
      this.#skipBlanks()
      const key = this.#match(keyPattern)
      if (key === undefined) break
      const fits = this.#fits(key)
      this.#expect('{')
      options.push({ fits, text: this.#template().evaluate })
      this.#expect('}')
    }
    if (options.length === 0) throw this.#error('expected a choice such as "female {ravie} other {ravi}"')
    return {
      sample: '',
      evaluate(facts, random, value) {
        const found = evaluate(facts, random, value)
        return options.find(({ fits }) => fits(found, facts))?.text(facts, random, value) ?? ''
      },
    }
  }

  /** A value, the limits of a number, `=` and another fact, or `other`. */
  #fits(key: string): Fits {
    if (key === 'other') return () => true
    if (key.startsWith('=')) {
      const { evaluate } = new Parser(key.slice(1), this.#vocabulary).#operand()
      return (value, facts) => value === evaluate(facts, undefined as never)
    }
    const limits = /^(\d*)\.\.(\d*)$/.exec(key)
    if (!limits) return (value) => value === key || String(value) === key
    const low = Number(limits[1])
    const high = limits[2] === '' ? Number.POSITIVE_INFINITY : Number(limits[2])
    return (value) => low <= Number(value) && Number(value) <= high
  }

  #mayDraw(): void {
    if (this.#vocabulary.draws) return
    throw new LetterError('only facts are drawn; draw it under "facts" and mention that')
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
