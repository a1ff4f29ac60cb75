import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'

/** A TypeScript source, parsed. */
export interface SourceFile {
  /** Relative to `src`, e.g. `world/clock.ts`. */
  readonly path: string
  readonly text: string
  /** The text with comments, strings and regular expressions blanked; quotation marks stay. */
  readonly code: string
  readonly imports: readonly Import[]
}

/** An import or a re-export of a file. */
export interface Import {
  /** `path:line` of the importing file. */
  readonly place: string
  /** The specifier, e.g. `../world/world.js` or `zod`. */
  readonly specifier: string
  /** `type` has no effect at run time, `dynamic` is loaded on execution. */
  readonly kind: 'type' | 'static' | 'dynamic'
  /** The file of `src` that is imported; undefined for a package other than this one. */
  readonly target: string | undefined
}

/** The fields of a syntax node that are read here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly source?: Node
  readonly value?: unknown
  readonly importKind?: string
  readonly exportKind?: string
}

/** Parses a source. @throws Error if its syntax is wrong */
export function sourceFile(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const nodes = [...nodesIn(program)]
  const literals = nodes.filter(({ type, start }) => {
    return type === 'TemplateElement' || (type === 'Literal' && /['"/]/.test(text.charAt(start)))
  })
  const imports = nodes.flatMap((node) => importOf(node, path, text) ?? [])
  return { path, text, code: blanked(text, [...comments, ...literals]), imports }
}

/** Returns a text of the same length and lines, with spaces in some places. */
function blanked(text: string, places: readonly Pick<Node, 'start' | 'end'>[]): string {
  let blank = ''
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    blank += text.slice(blank.length, start) + text.slice(start, end).replace(/[^\n'"`]/g, ' ')
  }
  return blank + text.slice(blank.length)
}

function* nodesIn(value: unknown): IterableIterator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && 'start' in value) yield value as Node
  for (const part of Object.values(value)) yield* nodesIn(part)
}

function importOf(node: Node, path: string, text: string): Import | undefined {
  const specifier = node.source?.value
  if (typeof specifier !== 'string') return undefined
  const isType = node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type'
  const kind = isType ? 'type' : node.type === 'ImportExpression' ? 'dynamic' : 'static'
  return {
    place: placeIn({ path, text }, node.start),
    specifier,
    kind,
    target: targetOf(path, specifier),
  }
}

/** The name of this package, by which a module of it may import the public entry. */
const ownName = 'agent-mailbox-sim'

function targetOf(path: string, specifier: string): string | undefined {
  if (specifier === ownName) return 'index.ts'
  if (!specifier.startsWith('.')) return undefined
  const { pathname } = new URL(specifier, `file:///${path}`)
  return pathname.slice(1).replace(/\.js$/, '.ts')
}

const projectRoot = new URL('../', import.meta.url)

/** The ends of the names of files that the build leaves out: tests and what belongs to them. */
function endingsLeftOut(): string[] {
  const text = readFileSync(new URL('tsconfig.build.json', projectRoot), 'utf8')
  const { exclude } = JSON.parse(text) as { exclude: string[] }
  return exclude.map((pattern) => pattern.replace('src/**/*', ''))
}

/** Returns every TypeScript file of `src` that is built for Node; the browser's code is bundled separately. */
export function sourceTexts(): Pick<SourceFile, 'path' | 'text'>[] {
  return textsOf((path) => path.endsWith('.ts') && !path.startsWith('inspector/'))
}

function textsOf(isWanted: (path: string) => boolean): Pick<SourceFile, 'path' | 'text'>[] {
  const source = new URL('src/', projectRoot)
  const leftOut = [...endingsLeftOut(), '.d.ts']
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => isWanted(path) && !leftOut.some((ending) => path.endsWith(ending)))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(new URL(path, source), 'utf8') }))
}

/** Returns the files of the browser's code, parsed; paths are as imports have them, with `.ts` for `.tsx`. */
export function browserFiles(): SourceFile[] {
  const texts = textsOf((path) => /^inspector\/.*\.tsx?$/.test(path))
  return texts.map(({ path, text }) => ({ ...sourceFile(path, text), path: path.replace(/x$/, '') }))
}

/** Returns the files that are built for Node, parsed. */
export function sourceFiles(): SourceFile[] {
  return sourceTexts().map(({ path, text }) => sourceFile(path, text))
}

/** Returns `path:line`, for messages. */
export function placeIn({ path, text }: Pick<SourceFile, 'path' | 'text'>, index: number): string {
  return `${path}:${text.slice(0, index).split('\n').length}`
}
