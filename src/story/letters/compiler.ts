import type { Path } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import type { Random } from '../../service/time/random.js'
import type { ConversationSource, KindSource, LanguageSource } from './schema.js'
import {
  compileTemplate,
  type Evaluate,
  type Facts,
  LetterError,
  renderText,
  type Template,
  type Vocabulary,
} from './template.js'

/** Reports a problem with a part of a kind of mail. */
export type ReportProblem = (path: Path, message: string) => void

/** A file of fixtures/attachments under the name the sender gave it. */
export interface AttachmentChoice {
  readonly fixture: string
  readonly filename: string
}

/** The parts of a language that its letters are compiled with. */
export interface LanguageBase {
  readonly source: LanguageSource
  readonly vocabulary: Vocabulary
}

/** The wordings of a question and of its answer. */
export type Topic = readonly [question: readonly Template[], answer: readonly Template[]]

/** The facts about a person that a letter may mention. */
const personSamples = { first_name: '', last_name: '', full_name: '', gender: '', address: '' }

/**
 * Compiles the texts of a language or of a kind of mail, and reports those that do not compile. Without `report`, a text
 * is compiled when it is first used, since most of them never are, and a problem is thrown.
 */
export class LetterCompiler {
  readonly #language: LanguageSource
  readonly #report: ReportProblem
  readonly #compilesLate: boolean
  readonly #samples: Facts
  readonly #facts: (readonly [name: string, evaluate: Evaluate])[] = []
  #vocabulary: Vocabulary

  constructor({ source, vocabulary }: LanguageBase, report: ReportProblem | undefined, kind?: KindSource) {
    this.#language = source
    this.#report = report ?? refuse
    this.#compilesLate = report === undefined
    const knowsPerson = !kind || !('first' in kind) || kind.person
    this.#samples = { ...vocabulary.samples, ...(knowsPerson && personSamples) }
    const parts = { ...vocabulary.parts, ...kind?.parts }
    this.#vocabulary = { ...vocabulary, parts, samples: this.#samples, draws: true }
    this.#addFacts(kind?.facts ?? {}, (name) => ['facts', name])
    this.#vocabulary = { ...this.#vocabulary, draws: false }
  }

  /** Draws the facts of a thread in their order. */
  draw(facts: Facts, random: Random): void {
    for (const [name, evaluate] of this.#facts) facts[name] = evaluate(facts, random)
  }

  /** Compiles a text with placeholders. */
  template(text: string, path: Path): Template {
    const vocabulary = this.#vocabulary
    if (!this.#compilesLate) return this.#compile(text, path, vocabulary)
    const compiled = once(() => this.#compile(text, path, vocabulary))
    return {
      evaluate: (facts, random, value) => compiled().evaluate(facts, random, value),
      get sample() {
        return compiled().sample
      },
    }
  }

  #compile(text: string, path: Path, vocabulary: Vocabulary): Template {
    try {
      return compileTemplate(text.trimEnd(), vocabulary)
    } catch (error) {
      if (!(error instanceof LetterError)) throw error
      this.#report(path, error.message)
      return { evaluate: () => '', sample: '' }
    }
  }

  /** Compiles alternative texts. */
  templates(texts: readonly string[], path: Path): readonly Template[] {
    return texts.map((text, index) => this.template(text, [...path, index]))
  }

  /** Compiles the wordings of a letter; `{ also: … }` refers to a shared list. */
  wordings(wordings: ConversationSource['opening'], path: Path): readonly Template[] {
    return wordings.flatMap((wording, index) => {
      const place = [...path, index]
      const texts = typeof wording === 'string' ? [wording] : this.#language.phrases[wording.also]
      if (!texts) this.#report([...place, 'also'], `there are no phrases of that name`)
      return (texts ?? []).map((text) => this.template(text, place))
    })
  }

  /** Compiles questions with their answers. */
  topics(topics: ConversationSource['later'], path: Path): readonly Topic[] {
    return topics.map(({ question, answer }, index) => [
      this.wordings(question, [...path, index, 'question']),
      this.wordings(answer, [...path, index, 'answer']),
    ])
  }

  /** Creates a function that chooses a suitable file for a message. */
  attachments({ attachments }: Pick<ConversationSource, 'attachments'>) {
    const choices = attachments.map(({ in: messages, file, name }, index) => {
      return { messages, file, name: this.template(name, ['attachments', index, 'name']) }
    })
    return (facts: Facts, index: number, random: Random): AttachmentChoice | undefined => {
      const fitting = choices.filter(({ messages }) => messages === undefined || messages.includes(index + 1))
      const choice = fitting.length > 1 ? random.pick(fitting) : fitting[0]
      return choice && { fixture: choice.file, filename: renderText(choice.name, facts) }
    }
  }

  #addFacts(facts: Readonly<Facts>, pathOf: (name: string) => Path): void {
    for (const [name, value] of Object.entries(facts)) {
      const path = pathOf(name)
      if (name === 'with') {
        for (const group of [value].flat().map(String)) {
          const shared = this.#language.facts[group]
          if (shared) this.#addFacts(shared, () => path)
          else this.#report(path, `there is no group of facts "${group}"`)
        }
        continue
      }
      const { evaluate, sample } = this.#value(value, path)
      this.#samples[name] = sample
      this.#facts.push([name, evaluate])
    }
  }

  /** Compiles a fact: a template, a list to draw from, or a map in such a list. */
  #value(value: unknown, path: Path): Template {
    if (typeof value === 'string') return this.template(value, path)
    if (typeof value !== 'object' || value === null) return { evaluate: () => value, sample: value }
    if (Array.isArray(value)) {
      const items = value.map((item, index) => this.#value(item, [...path, index]))
      this.#compareKeys(value, path)
      return { sample: items[0]?.sample, evaluate: (f, random) => random.pick(items).evaluate(f, random) }
    }
    const fields = Object.entries(value).map(
      ([key, field]) => [key, this.#value(field, [...path, key])] as const,
    )
    const sample = Object.fromEntries(fields.map(([key, field]) => [key, field.sample]))
    // The same object, so that `any … but` finds it in its list.
    const isPlain = Object.values(value).every((field) => !String(field).includes('{'))
    if (isPlain) return { sample, evaluate: () => value }
    const evaluate: Evaluate = (facts, random) =>
      Object.fromEntries(fields.map(([key, field]) => [key, field.evaluate(facts, random)]))
    return { sample, evaluate }
  }

  /** Checks that all items have the keys of the first, since letters may mention any of them. */
  #compareKeys([first, ...others]: readonly unknown[], path: Path): void {
    const keys = Object.keys(Object(first))
    for (const [index, item] of others.entries()) {
      const missing = keys.find((key) => typeof first === 'object' && !Object.hasOwn(Object(item), key))
      if (missing !== undefined)
        this.#report([...path, index + 1], `has no "${missing}", which the first item has`)
    }
  }
}

/** Throws for a problem in shipped letters; a test compiles all of them. */
function refuse(path: Path, message: string): never {
  throw new Error(`The shipped letters are broken at ${path.join('.')}: ${message}.`)
}
