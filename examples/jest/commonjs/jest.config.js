module.exports = { displayName: 'commonjs', transform: {} }
