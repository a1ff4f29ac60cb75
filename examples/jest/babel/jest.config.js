module.exports = { displayName: 'babel' }
