import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'

/**
 * Removes from declaration files what their entries neither export nor refer to, directly or indirectly. Returns the files in
 * which something is left, and those of the entries.
 */
export function keepUsed(entries) {
  const modules = new Map()
  const moduleOf = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(file))
    return modules.get(file)
  }
  /** Uses a statement, and what it refers to. */
  const use = (module, statement) => {
    if (statement.used) return
    statement.used = true
    for (const name of statement.names) refer(module, name)
    for (const [file, name] of statement.inline) useExport(moduleOf(file), name)
  }
  const refer = (module, name) => {
    for (const statement of module.declared.get(name) ?? []) use(module, statement)
    const imported = module.imported.get(name)
    if (imported === undefined || imported.used) return
    imported.used = true
    if (imported.file) useExport(moduleOf(imported.file), imported.name)
  }
  const useExport = (module, name) => {
    if (name === undefined) {
      for (const each of module.exported.keys()) useExport(module, each)
      return
    }
    const exported = module.exported.get(name)
    if (exported === undefined) throw new Error(`${module.file} does not export ${name}.`)
    if (exported.used) return
    exported.used = true
    if (exported.file) useExport(moduleOf(exported.file), exported.name)
    else if (exported.local) refer(module, exported.local)
  }
  /** Uses what a module declares for all, such as fields of global types, and the modules that it loads for that. */
  const load = (module) => {
    if (module.loaded) return
    module.loaded = true
    for (const statement of module.statements) if (statement.always) use(module, statement)
    for (const file of module.loads) load(moduleOf(file))
  }
  for (const entry of entries) {
    load(moduleOf(entry))
    useExport(moduleOf(entry), undefined)
  }
  // A file that is imported for a name may declare something for all.
  for (const module of modules.values()) load(module)
  for (const { statements } of modules.values())
    for (const statement of statements)
      statement.used ||= statement.loads && isUsed(moduleOf(statement.loads))
  for (const module of modules.values()) writeFileSync(module.file, usedText(module))
  return new Set([...modules.keys()].filter((file) => entries.includes(file) || isUsed(modules.get(file))))
}

const isUsed = ({ statements }) =>
  statements.some(({ used, parts }) => used || parts?.some((part) => part.used))

/** Reads which names a declaration file declares, imports and exports, and by which statement. */
function readModule(file) {
  const text = readFileSync(file, 'utf8')
  const module = {
    ...{ file, text, statements: [], loads: [] },
    ...{ declared: new Map(), imported: new Map(), exported: new Map() },
  }
  const pathOf = (source) =>
    source.startsWith('.') ? join(file, '..', source.replace(/\.js$/, '.d.ts')) : undefined
  for (const node of parseSync(file, text).program.body) {
    const { start, end, type } = node
    const statement = { start, end, names: new Set(), inline: [] }
    module.statements.push(statement)
    const source = node.source?.value
    if (type === 'ExportAllDeclaration' || type === 'ExportDefaultDeclaration')
      throw new Error(`${file} has an export without a name.`)
    if (type === 'ImportDeclaration' || (type === 'ExportNamedDeclaration' && node.declaration === null)) {
      const from = source && pathOf(source)
      statement.parts = node.specifiers.map((specifier) => {
        const part = { text: text.slice(specifier.start, specifier.end), file: from }
        if (type === 'ImportDeclaration') {
          if (specifier.type === 'ImportSpecifier') part.name = specifier.imported.name
          module.imported.set(specifier.local.name, part)
        } else {
          part[source ? 'name' : 'local'] = specifier.local.name
          module.exported.set(specifier.exported.name, part)
        }
        return part
      })
      statement.isPlain = node.specifiers.every(({ type }) => /^(Im|Ex)portSpecifier$/.test(type))
      if (statement.parts.length > 0) continue
      if (from) module.loads.push(from)
      else statement.always = true
      statement.loads = from
      continue
    }
    const declaration = node.declaration ?? node
    if (declaration.type === 'TSModuleDeclaration' || declaration.type === 'TSGlobalDeclaration')
      statement.always = true
    const names = declaration.id
      ? [declaration.id.name]
      : (declaration.declarations ?? []).map(({ id }) => id.name)
    for (const name of names) {
      module.declared.set(name, [...(module.declared.get(name) ?? []), statement])
      if (node.declaration) module.exported.set(name, { local: name })
    }
    visit(declaration, (inner) => {
      if (inner.type === 'Identifier') statement.names.add(inner.name)
      if (inner.type !== 'TSImportType') return
      const imported = pathOf(inner.source.value)
      if (imported) statement.inline.push([imported, firstName(inner.qualifier)])
    })
  }
  return module
}

/** Returns the first of the names that follow `import('…')`; undefined if there is none. */
const firstName = (qualifier) => (qualifier?.left ? firstName(qualifier.left) : qualifier?.name)

function visit(node, act) {
  if (Array.isArray(node)) for (const each of node) visit(each, act)
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') act(node)
    for (const value of Object.values(node)) visit(value, act)
  }
}

/** Returns the text of a module without what is not used; a comment belongs to the statement after it. */
function usedText({ text, statements }) {
  let kept = ''
  let before = 0
  for (const statement of statements) {
    const parts = statement.parts?.filter((part) => part.used)
    const whole = text.slice(before, statement.end)
    before = statement.end
    if (statement.used || (parts?.length && parts.length === statement.parts.length)) kept += whole
    else if (parts?.length && statement.isPlain)
      kept += whole.replace(/\{[^}]*\}(?=[^}]*$)/, `{ ${parts.map((part) => part.text).join(', ')} }`)
    else if (parts?.length) kept += whole
  }
  const left = kept.trimStart()
  // Without an import or export it would be a script.
  return /^(import|export)\b/m.test(left) ? `${left}\n` : `${left}${left && '\n'}export {};\n`
}
