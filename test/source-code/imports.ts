import { placeIn, type SourceFile } from './source-files.js'

/** One import, or re-export, of a file. */
export interface Import {
  /** `path:line` of the importing file. */
  readonly place: string
  /** As it is written, e.g. `../world/index.js` or `zod`. */
  readonly specifier: string
  /** `type` leaves nothing at run time, `dynamic` is loaded when it is reached. */
  readonly kind: 'type' | 'static' | 'dynamic'
  /** The file of `src` it means; undefined for a package. */
  readonly target: string | undefined
}

/** `import … from '…'`, `export … from '…'`, `import '…'`, `import('…')`; strings are blank in the code. */
const statement =
  /\b(?:import|export)\b(?<clause>(?:\s+type\b)?[\s\w$*,{}]*?)\bfrom\s*(?<from>'[^']*'|"[^"]*")|\bimport\s*(?<bare>'[^']*'|"[^"]*")|\bimport\s*\(\s*(?<dynamic>'[^']*'|"[^"]*")/dg

/** The imports of a file. */
export function importsOf(file: SourceFile): Import[] {
  return [...file.code.matchAll(statement)].map((match) => {
    const { clause, dynamic } = match.groups ?? {}
    const at = (match.indices?.groups?.['from'] ??
      match.indices?.groups?.['bare'] ??
      match.indices?.groups?.['dynamic']) as [number, number]
    const specifier = file.text.slice(at[0] + 1, at[1] - 1)
    const kind =
      dynamic !== undefined ? 'dynamic' : /^\s+type(?:\s+[\w$*{]|[{*])/.test(clause ?? '') ? 'type' : 'static'
    return { place: placeIn(file, match.index), specifier, kind, target: targetOf(file.path, specifier) }
  })
}

function targetOf(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const { pathname } = new URL(specifier, `file:///${path}`)
  return pathname.slice(1).replace(/\.js$/, '.ts')
}

/** The name of the package a specifier belongs to, e.g. `@faker-js/faker` for `@faker-js/faker/locale/en`. */
export function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
