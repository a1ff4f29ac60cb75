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
  /** Whether text for people leaves it out unless everything is wanted. */
  readonly isMinor?: boolean
}

/** A result; without a tone, it is a remark. */
export interface TableCell {
  readonly text: string
  readonly tone?: Tone
}
