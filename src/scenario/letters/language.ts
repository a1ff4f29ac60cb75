import type { Path } from '../problems/problem.js'
import type { People } from '../wording/people.js'
import { KindCompiler, type LanguageBase, type Report } from './compiler.js'
import { createConversions } from './conversions.js'
import type { LanguageSource } from './schema.js'
import type { Template, Vocabulary } from './template.js'

/** A language: its file, and what all kinds of mail in it are compiled with. */
export interface Language extends LanguageBase {
  readonly style: Style
  readonly people: People
  /** What people still write about once everything is settled: questions and answers. */
  readonly furtherTopics: readonly (readonly [question: Wordings, answer: Wordings])[]
}

/** Letters of which one is chosen, each of paragraphs. */
export type Wordings = readonly (readonly Template[])[]
type Compiled<Source> = Source extends string
  ? Template
  : { readonly [Key in keyof Source]: Compiled<Source[Key]> }
type Style = Compiled<Pick<LanguageSource, 'greetings' | 'closings' | 'quotes'>> & {
  readonly signatures: Compiled<Omit<LanguageSource['signatures'], 'blank_line'>>
}

/** Compiles a language; with a problem reported, it is not to be used. */
export function compileLanguage(source: LanguageSource, report: Report): Language {
  const agent = { agent_name: '', agent_address: '', company: '', begins: 0 }
  const conversions = createConversions(source)
  const people: People = { ...source.people, latin: (name) => String(conversions['latin']?.(name)) }
  const vocabulary: Vocabulary = {
    samples: { ...source.lists, ...agent, writer: '', titles: '' },
    conversions,
    formats: source.formats,
    parts: source.parts,
    draws: false,
  }
  const language = { source, vocabulary, people } as Language
  const compiler = new KindCompiler(language, { opening: [], facts: {}, parts: {} } as never, report)
  const all = <Texts extends object>(texts: Texts, path: Path): Compiled<Texts> =>
    Object.fromEntries(
      Object.entries(texts).map(([key, value]) => {
        const place = [...path, key]
        return [
          key,
          Array.isArray(value) ? compiler.templates(value, place) : compiler.template(value, place),
        ]
      }),
    ) as Compiled<Texts>
  const { blank_line: _, ...signatures } = source.signatures
  return Object.assign(language, {
    style: {
      greetings: all(source.greetings, ['greetings']),
      closings: all(source.closings, ['closings']),
      quotes: all(source.quotes, ['quotes']),
      signatures: all(signatures, ['signatures']),
    },
    furtherTopics: source.further_topics.map(
      ({ question, answer }, index) =>
        [
          compiler.wordings(question, ['further_topics', index, 'question']),
          compiler.wordings(answer, ['further_topics', index, 'answer']),
        ] as const,
    ),
  })
}
