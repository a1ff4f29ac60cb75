// What the formats and the page of a report print, as data.

/** How a result is to be understood. */
export type Tone = 'passed' | 'failed' | 'unsure' | 'none'

/** A table of results. */
export interface Table {
  /** What it shows. */
  readonly title: string
  /** The titles of the cells that say what a row is about. */
  readonly subject: readonly string[]
  /** The titles of its results: the result and why it is so. */
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
}

/** What a row is about, and its results. */
export interface TableRow {
  /** What it is about, as one text. */
  readonly name: string
  /** The same in several cells, in one line or more. */
  readonly lines?: readonly (readonly string[])[]
  readonly cells: readonly TableCell[]
  /** Whether text leaves it out of a long table. */
  readonly isMinor?: boolean
}

/** A result; without a tone, it is a remark. */
export interface TableCell {
  readonly text: string
  readonly tone?: Tone
}

/** Sentences, or a list below a title. */
export type Paragraph = string | { readonly title: string; readonly lines: readonly ListedLine[] }

/** A line of a list, and where to look: the request of a play. */
export interface ListedLine {
  readonly text: string
  readonly play: string
  readonly trial: number
  readonly exchange: number | null
}

/** The most lines of a list in text. */
const mostLines = 12

/** Returns a paragraph as text. */
export function paragraphText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph
  const { title, lines } = paragraph
  const more = lines.length - mostLines
  const listed = lines.slice(0, mostLines).map(({ text }) => `- ${text}`)
  return [title, ...listed, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

/** The most rows of a table in text; of more, only those that are not minor. */
const mostRows = 40

/** Returns the rows of a table for text. */
export function textRows({ rows }: Table): readonly TableRow[] {
  return rows.length <= mostRows ? rows : rows.filter(({ isMinor }) => !isMinor)
}
