import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the project, without a final slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** Lists the files of the project with these endings. */
export function projectFiles(...endings: readonly string[]): string[] {
  const patterns = endings.map((ending) => `*.${ending}`)
  return execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
}

/** Returns the text of a file of the project. */
export function textOf(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8')
}

/** A fenced block of a page. */
export interface Block {
  readonly language: string
  readonly text: string
  /** The name of the file that it shows, from a comment in its first line. */
  readonly file: string | undefined
}

/** Returns the fenced blocks of a page, in order. */
export function blocksIn(page: string): Block[] {
  return [...textOf(page).matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => {
    return { language, text, file: /^(?:#|\/\/) (\S+\.(?:yaml|ts|mjs|py))\n/.exec(text)?.[1] }
  })
}

/** Returns the lines of a block of shell, without comments; a line that ends with a backslash continues. */
export function linesIn({ text }: Pick<Block, 'text'>): string[] {
  return text
    .replace(/\\\n\s*/g, ' ')
    .replace(/'[^']*'/g, (quoted) => quoted.replace(/\n\s*/g, ' '))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** Splits a command into words like a shell. */
export function wordsIn(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|[^\s'"]+/g)].map(([word, double, single]) => {
    return double ?? single ?? word
  })
}
