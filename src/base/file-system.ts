/**
 * Returns Node's modules for files; undefined in a runtime that has none, such as a browser. They are not imported, since
 * bundlers for browsers cannot resolve them.
 */
export function fileSystem() {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> }
  const load = process?.getBuiltinModule
  return (
    load && {
      fs: load('node:fs'),
      os: load('node:os'),
      path: load('node:path') as typeof import('node:path'),
      url: load('node:url'),
      get zlib() {
        return load('node:zlib')
      },
      get vm() {
        return load('node:vm')
      },
    }
  )
}
