import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isolatedDeclarationSync } from 'rolldown/experimental'
import { parseSync } from 'rolldown/utils'
import { linkToPart } from './service-document.js'

const root = join(import.meta.dirname, '..')

/** The entries of the package: specifier, source file and purpose. */
const entries = [
  ['agent-mailbox-sim', 'src/index.ts', 'The simulator; runs in Node and, without files, in browsers.'],
  ['agent-mailbox-sim/node', 'src/doors/interceptor/node.ts', 'Intercepts the requests of this process.'],
  ['agent-mailbox-sim/vitest', 'src/doors/interceptor/vitest.ts', 'A mailbox for each test of Vitest.'],
  ['agent-mailbox-sim/jest', 'src/doors/interceptor/jest.ts', 'A mailbox for each test of Jest.'],
  ['agent-mailbox-sim/server', 'src/doors/server/entry.ts', 'The simulator as a server over HTTP.'],
  ['agent-mailbox-sim/fast-check', 'src/runs/fuzz/fast-check.ts', 'Stories, mail and faults as arbitraries.'],
] as const

/** A node of the syntax tree; each kind has its own fields. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  // biome-ignore lint/suspicious/noExplicitAny: the parser's types distinguish two hundred kinds.
  readonly [key: string]: any
}

/** A declaration as other files see it. */
interface Declared {
  readonly name: string
  readonly file: string
  readonly kind: 'function' | 'class' | 'value' | 'type'
  /** Its documentation comment, with tags, without comment marks. */
  readonly comment: string
  readonly code: string
  /** The class or interface of the same file that it extends and that is not exported itself. */
  readonly parent: string | undefined
}

interface Module {
  readonly declared: ReadonlyMap<string, Declared>
  /** The files from which it imports or re-exports names, by local or exported name. */
  readonly from: ReadonlyMap<string, { readonly file: string; readonly name: string }>
  /** The names it exports. */
  readonly exported: readonly string[]
}

const modules = new Map<string, Module>()

/** Formats the reference of all public entries as a page of Markdown. */
export function formatApiDocument(): string {
  const shown = new Map<Declared, string>()
  const sections = entries.map(([entry, file, about]) => {
    const own = exportsOf(file).filter(
      (declared) => !shown.has(declared) && !/@internal/.test(declared.comment),
    )
    for (const declared of own) shown.set(declared, entry)
    return {
      entry,
      about,
      own,
      reached: reachedFrom(own, shown, entry),
      again: exportsOf(file).filter((declared) => shown.get(declared) !== entry),
    }
  })
  return `${[introduction(sections), ...sections.map(formatSection)].join('\n\n')}\n`
}

function introduction(sections: readonly Section[]): string {
  const contents = sections.map(formatContents).join('\n')
  return `<!-- Generated from the sources. To update it: npx vitest run test/api-document.test.ts -u -->

# API reference

This page lists the exports of each entry of the package, with the comments in the sources. The guides are
[testing.md](testing.md), [scenarios.md](scenarios.md), [extensions.md](extensions.md) and [fuzz.md](fuzz.md).

${contents}`
}

interface Section {
  readonly entry: string
  readonly about: string
  readonly own: readonly Declared[]
  readonly reached: readonly Declared[]
  readonly again: readonly Declared[]
}

/** Formats an entry with the index of its symbols: values first, then types. */
function formatContents({ entry, about, own, reached }: Section): string {
  const isType = ({ kind }: Declared): boolean => kind === 'type'
  const values = own.filter((declared) => !isType(declared))
  const linked = [...values, ...own.filter(isType), ...reached].map(
    ({ name }) => `[${name}](#${anchorOf(name)})`,
  )
  return `- [${entry}](#${anchorOf(entry)}): ${about}\n  ${linked.join(' · ')}`
}

function formatSection({ entry, about, own, reached, again }: Section): string {
  const isType = ({ kind }: Declared): boolean => kind === 'type'
  const parts = [`## ${entry}`, about]
  if (again.length > 0) {
    parts.push(`Exports as well: ${again.map(({ name }) => `\`${name}\``).join(', ')}, described above.`)
  }
  parts.push(...own.filter((declared) => !isType(declared)).map(formatDeclared))
  parts.push(...own.filter(isType).map(formatDeclared))
  if (reached.length > 0) {
    parts.push('Types that these use, which cannot be imported by name:', ...reached.map(formatDeclared))
  }
  return parts.join('\n\n')
}

function formatDeclared({ name, comment, code, file, parent }: Declared): string {
  const { text, examples, throws, see } = readComment(comment)
  const parent_ = parent === undefined ? [] : [moduleOf(file).declared.get(parent)?.code ?? '']
  const block = [...parent_, code].join('\n\n')
  return [
    `### ${name}`,
    [text, see].filter((part) => part !== '').join(' '),
    ...(/\bz\.|(?:unknown|\{\});?$/.test(block) ? [] : [fenced(block)]),
    ...throws.map((thrown) => `Throws ${thrown}.`),
    ...examples.map(fenced),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function fenced(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``
}

/** Separates the tags of a comment from its text. */
function readComment(comment: string) {
  const [text = '', ...tags] = comment.split(/(?:^|\s)@(?=(?:throws|example|see|internal)\b)/)
  const tagged = (tag: string): string[] =>
    tags.filter((found) => found.startsWith(`${tag} `)).map((found) => found.slice(tag.length).trim())
  const see = tagged('see').map((place) => {
    const parts = /^interface (.+)$/.exec(place)?.[1]?.split(', ')
    return `See ${parts ? parts.map(linkToPart).join(', ') : place}.`
  })
  const oneLine = (part: string): string => part.replace(/\s+/g, ' ').trim()
  return {
    text: oneLine(text),
    examples: tagged('example'),
    throws: tagged('throws').map((thrown) => oneLine(thrown).replace(/\.$/, '')),
    see: see.join(' '),
  }
}

/** Returns the classes and interfaces of the sources that declarations mention but no entry exports by name. */
function reachedFrom(own: readonly Declared[], shown: Map<Declared, string>, entry: string): Declared[] {
  const reached: Declared[] = []
  const visit = (from: Declared): void => {
    for (const [name] of from.code.replace(/\/\*\*[\s\S]*?\*\//g, '').matchAll(/\b[A-Z]\w+\b/g)) {
      const declared = find(from.file, name)
      if (declared?.kind !== 'class' || shown.has(declared)) continue
      shown.set(declared, entry)
      reached.push(declared)
      visit(declared)
    }
  }
  for (const declared of own) visit(declared)
  return reached
}

/**
 * Returns the functions and methods of all entries with an object parameter that is given by its fields, and the type of
 * that parameter: `Mail.receive: ReceiveInput`.
 */
export function functionsWithOptions(): string[] {
  const found = new Set<string>()
  const shown = new Map<Declared, string>()
  for (const [entry, file] of entries) {
    const own = exportsOf(file).filter((declared) => !/@internal/.test(declared.comment))
    for (const declared of [...own, ...reachedFrom(own, shown, entry)]) {
      if (declared.kind === 'type' || declared.kind === 'value') continue
      const code = declared.code.replace(/\/\*\*[\s\S]*?\*\//g, '')
      const owner = declared.kind === 'class' ? `${declared.name}.` : ''
      for (const [, name, parameters = ''] of code.matchAll(/(\w+)\(((?:[^()]|\([^()]*\))*)\): /g)) {
        for (const [type] of parameters.matchAll(/\b[A-Z]\w+\b/g)) {
          if (isObject(find(declared.file, type))) found.add(`${owner}${name}: ${type}`)
        }
      }
    }
  }
  return [...found].sort()
}

function isObject(declared: Declared | undefined): boolean {
  return declared?.kind === 'type' && /^interface |= z\.|= \{/.test(declared.code)
}

function exportsOf(file: string): Declared[] {
  return moduleOf(file).exported.flatMap((name) => find(file, name) ?? [])
}

/** Finds a declaration by its name in a file; undefined if it comes from a library. */
function find(file: string, name: string): Declared | undefined {
  const module = moduleOf(file)
  const declared = module.declared.get(name)
  if (declared) return declared
  const from = module.from.get(name)
  if (from) return find(from.file, from.name)
  const star = [...module.from].find(([key, other]) => key.startsWith('*') && find(other.file, name))
  return star && find(star[1].file, name)
}

function moduleOf(file: string): Module {
  const known = modules.get(file)
  if (known) return known
  const source = readFileSync(join(root, file), 'utf8')
  const text = isolatedDeclarationSync(file, source, { stripInternal: true }).code
  const { program, comments } = parseSync('declarations.d.ts', text)
  const commentBefore = (start: number): string => {
    const before = comments.findLast(({ end }) => end <= start)
    return before && text.slice(before.end, start).trim() === '' ? plain(before.value) : ''
  }
  const declared = new Map<string, Declared>()
  const from = new Map<string, { file: string; name: string }>()
  const exported: string[] = []
  for (const statement of program.body as unknown as Node[]) {
    const source = statement['source']?.value as string | undefined
    const target = source?.startsWith('.') ? join(file, '..', source).replace(/\.js$/, '.ts') : undefined
    if (statement.type === 'ImportDeclaration' && target) {
      for (const { imported, local } of statement['specifiers']) {
        if (imported) from.set(local.name, { file: target, name: imported.name })
      }
    } else if (statement.type === 'ExportAllDeclaration' && target) {
      from.set(`*${target}`, { file: target, name: '*' })
      exported.push(...moduleOf(target).exported)
    } else if (statement.type === 'ExportNamedDeclaration' && !statement['declaration']) {
      for (const { local, exported: as } of statement['specifiers']) {
        exported.push(as.name)
        if (target) from.set(as.name, { file: target, name: local.name })
      }
    } else {
      const isExported = statement.type === 'ExportNamedDeclaration'
      const declaration: Node = isExported ? statement['declaration'] : statement
      const id = declaration['id'] ?? declaration['declarations']?.[0]?.id
      if (!id?.name) continue
      if (isExported) exported.push(id.name)
      const before = declared.get(id.name)
      const code = tidy(text.slice(declaration.start, declaration.end))
      declared.set(id.name, {
        name: id.name,
        file,
        kind: kindOf(declaration),
        comment: before?.comment || commentBefore(statement.start),
        code: before?.kind === 'function' ? `${before.code}\n${code}` : code,
        parent: parentOf(declaration),
      })
    }
  }
  // An interface that is not exported itself is shown with the declaration that extends it.
  for (const [name, one] of declared) {
    if (one.parent === undefined) continue
    const isHidden = declared.has(one.parent) && !exported.includes(one.parent)
    if (!isHidden) declared.set(name, { ...one, parent: undefined })
  }
  const module = { declared, from, exported }
  modules.set(file, module)
  return module
}

function kindOf({ type }: Node): Declared['kind'] {
  if (/Function/.test(type)) return 'function'
  if (/Class/.test(type)) return 'class'
  return /Interface|TypeAlias/.test(type) ? 'type' : 'value'
}

function parentOf(declaration: Node): string | undefined {
  const [parent] = declaration['extends'] ?? []
  return (parent?.expression?.name ?? declaration['superClass']?.name) as string | undefined
}

/** Removes the marks of a documentation comment. */
function plain(comment: string): string {
  return comment
    .replace(/^\*/, '')
    .replace(/^[ \t]*\*[ \t]?/gm, '')
    .trim()
}

/** Formats a declaration without private members, indented by two spaces. */
function tidy(code: string): string {
  return code
    .replace(/^declare /, '')
    .replace(/^\s*(?:#private;|private .*)\n/gm, '')
    .replace(/^\s*(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)?constructor\([\s\S]*?\);\n/gm, '')
    .replace(/^\t+/gm, (tabs) => '  '.repeat(tabs.length))
    .replace(/^( *)\*/gm, '$1 *')
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
