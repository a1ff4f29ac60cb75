const [major, minor] = process.versions.node.split('.').map(Number)

// Earlier versions of Node cannot `require` ES modules, and fail with nothing but a stack trace.
if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
  throw new Error(
    `require('agent-mailbox-sim') needs Node 20.19, 22.12 or newer, this is ${process.versions.node}`,
  )
}

// Jest gives its tests a `require` that cannot load ES modules. Node's own can.
const { createRequire } = process.getBuiltinModule('node:module')

exports.nativeRequire = createRequire(__filename)
