import { readdirSync, readFileSync } from 'node:fs'
import { codeOf } from './code-text.js'

/** A file of the package's own code. */
export interface SourceFile {
  /** Relative to `src`, e.g. `world/clock.ts`. */
  readonly path: string
  readonly text: string
  /** The text with comments, strings and regular expressions blanked. */
  readonly code: string
}

/** A source that is written down rather than read. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, code: codeOf(text) }
}

const projectRoot = new URL('../../', import.meta.url)

/** How the names of files end that the build leaves out: tests and what goes with them. */
function endingsLeftOut(): string[] {
  const text = readFileSync(new URL('tsconfig.build.json', projectRoot), 'utf8')
  const { exclude } = JSON.parse(text) as { exclude: string[] }
  return exclude.map((pattern) => pattern.replace('src/**/*', ''))
}

/** Every TypeScript file of `src` that is built for Node; the browser's code is bundled by itself. */
export function sourceFiles(): SourceFile[] {
  const source = new URL('src/', projectRoot)
  const leftOut = endingsLeftOut()
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) =>
        path.endsWith('.ts') &&
        !path.startsWith('inspector/') &&
        !leftOut.some((ending) => path.endsWith(ending)),
    )
    .toSorted()
    .map((path) => sourceFile(path, readFileSync(new URL(path, source), 'utf8')))
}

/** `path:line`, for messages. */
export function placeIn({ path, text }: SourceFile, index: number): string {
  return `${path}:${text.slice(0, index).split('\n').length}`
}
