const { nativeRequire } = require('./native-require.cjs')

module.exports = nativeRequire('../index.js')
