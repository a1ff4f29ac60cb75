/** The part of Node that this file uses; other platforms lack it. */
interface NodeProcess {
  readonly versions?: { readonly node?: string }
  getBuiltinModule?(name: 'node:vm'): { runInThisContext(code: string): typeof globalThis }
}

/**
 * The globals that belong to `fetch`. An environment without `fetch` has at most parts that do not fit
 * together.
 */
const ofFetch = ['fetch', 'Request', 'Response', 'Headers'] as const

/** The other globals that are used, here and by the bundled packages. */
const others = [
  'BroadcastChannel',
  'CompressionStream',
  'DecompressionStream',
  'MessageChannel',
  'ReadableStream',
  'TextDecoder',
  'TextEncoder',
  'TransformStream',
  'WritableStream',
  'clearImmediate',
  'setImmediate',
  'structuredClone',
] as const

/**
 * Supplies the globals of Node that a test environment leaves out: jest-environment-jsdom runs tests in a
 * context with the globals of a browser, but without `fetch` and what belongs to it.
 */
function supplyGlobals(): void {
  const missing = others.filter((name) => !(name in globalThis))
  const names = 'Response' in globalThis ? missing : [...ofFetch, ...missing]
  if (names.length === 0) return
  const { process } = globalThis as { process?: NodeProcess }
  const native = process?.getBuiltinModule?.('node:vm').runInThisContext('globalThis')
  if (!native) return
  for (const name of names) supply(globalThis, name, native[name])
  if (!URL.canParse) supply(URL, 'canParse', native.URL.canParse)
}

function supply(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true })
}

/** Refuses a release of Node in which modules would fail to load, at a line that does not say why. */
function checkRelease(): void {
  const { process } = globalThis as { process?: NodeProcess }
  const release = process?.versions?.node
  const [major = 0, minor = 0] = release?.split('.').map(Number) ?? []
  if (release === undefined || major > 20 || (major === 20 && minor >= 19)) return
  throw new Error(`agent-mailbox-sim needs Node 20.19 or later; this is Node ${release}.`)
}

checkRelease()
supplyGlobals()

/** Returns whether a value is an error of any realm: in tests under Jest, those of Node are of another class. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
}
