module.exports = { projects: ['<rootDir>/commonjs', '<rootDir>/babel', '<rootDir>/typescript'] }
