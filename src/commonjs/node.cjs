const { nativeRequire } = require('./native-require.cjs')

const node = nativeRequire('../interceptor/node.js')

// Jest runs tests in a context with its own globals, whose `fetch` was copied from Node before anything was intercepted.
const native = process.getBuiltinModule('node:vm').runInThisContext('globalThis')
if (native !== globalThis && typeof fetch === 'function') {
  globalThis.fetch = (...request) => native.fetch(...request)
}

module.exports = node
