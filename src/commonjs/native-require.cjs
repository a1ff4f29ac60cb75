const [major, minor] = process.versions.node.split('.').map(Number)

// Before these, Node cannot load ES modules by `require`, and says so in a stack trace only.
if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
  throw new Error(
    `require('agent-mailbox-sim') needs Node 20.19, 22.12 or newer, this is ${process.versions.node}`,
  )
}

// Jest gives its tests a `require` that cannot load ES modules. Node's own can.
const { createRequire } = process.getBuiltinModule('node:module')

exports.nativeRequire = createRequire(__filename)
