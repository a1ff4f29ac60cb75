const { nativeRequire } = require('./native-require.cjs')

module.exports = nativeRequire('../server/index.js')
