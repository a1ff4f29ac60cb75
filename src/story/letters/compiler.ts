import type { Path } from '../../base/mistake.js'
import { once } from '../../base/once.js'
import type { Random } from '../../service/time/random.js'
import type { ConversationSource, KindSource, LanguageSource } from './schema.js'
import {
  compileTemplate,
  type Facts,
  LetterError,
  renderText,
  type Template,
  type Vocabulary,
} from './template.js'

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

/** What is wrong with a text of a language or of a kind of mail. */
export interface LetterProblem {
  readonly path: Path
  readonly message: string
}

/** Compiles the texts of a language or of a kind of mail, each when it is first used, since most of them never are. */
export class LetterCompiler {
  readonly #language: LanguageSource
  readonly #vocabulary: Vocabulary
  /** The texts with placeholders, and the facts in their order. */
  readonly #texts: { readonly path: Path; readonly template: Template }[] = []
  readonly #facts: { readonly name: string; readonly path: Path; readonly template: Template }[] = []

  constructor({ source, vocabulary }: LanguageBase, kind?: KindSource) {
    this.#language = source
    this.#vocabulary = { ...vocabulary, parts: { ...vocabulary.parts, ...kind?.parts } }
    this.#addFacts(kind?.facts ?? {}, (name) => ['facts', name])
  }

  /** Draws the facts of a thread in their order. */
  draw(facts: Facts, random: Random): void {
    for (const { name, template } of this.#facts) facts[name] = template(facts, random)
  }

  /** Returns the problems of all facts and texts, each filled in once. */
  problems(facts: Facts, random: Random): LetterProblem[] {
    const problems: LetterProblem[] = []
    const attempt = (path: Path, fill: () => unknown): unknown => {
      try {
        return fill()
      } catch (error) {
        if (!(error instanceof LetterError)) throw error
        problems.push({ path, message: error.message })
        return ''
      }
    }
    for (const { name, path, template } of this.#facts) {
      facts[name] = attempt(path, () => template(facts, random))
    }
    for (const { path, template } of this.#texts) attempt(path, () => template(facts))
    return problems
  }

  /** Compiles a text with placeholders. */
  template(text: string, path: Path): Template {
    const template = this.#compiled(text)
    this.#texts.push({ path, template })
    return template
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
      if (texts) return texts.map((text) => this.template(text, place))
      const template = () => fail('there are no phrases of that name')
      this.#texts.push({ path: [...place, 'also'], template })
      return [template]
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

  #compiled(text: string): Template {
    const compiled = once(() => compileTemplate(text.trimEnd(), this.#vocabulary))
    return (facts, random, value) => compiled()(facts, random, value)
  }

  #addFacts(facts: Readonly<Facts>, pathOf: (name: string) => Path): void {
    for (const [name, value] of Object.entries(facts)) {
      const path = pathOf(name)
      if (name !== 'with') {
        this.#facts.push({ name, path, template: this.#value(value) })
        continue
      }
      for (const group of [value].flat().map(String)) {
        const shared = this.#language.facts[group]
        if (shared) this.#addFacts(shared, () => path)
        else this.#facts.push({ name, path, template: () => fail(`there is no group of facts "${group}"`) })
      }
    }
  }

  /** Compiles a fact: a template, a list to draw from, or a map in such a list. */
  #value(value: unknown): Template {
    if (typeof value === 'string') return this.#compiled(value)
    if (typeof value !== 'object' || value === null) return () => value
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#value(item))
      return (facts, random) => (random as Random).pick(items)(facts, random)
    }
    // The same object, so that `any … but` finds it in its list.
    if (Object.values(value).every((field) => !String(field).includes('{'))) return () => value
    const fields = Object.entries(value).map(([key, field]) => [key, this.#value(field)] as const)
    return (facts, random) => {
      return Object.fromEntries(fields.map(([key, template]) => [key, template(facts, random)]))
    }
  }
}

function fail(message: string): never {
  throw new LetterError(message)
}
