// Jest gives its tests a `require` that cannot load ES modules. Node's own can.
const { createRequire } = process.getBuiltinModule('node:module')

exports.nativeRequire = createRequire(__filename)
