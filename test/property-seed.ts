import fc from 'fast-check'

// A failure in CI must be there again when somebody looks; at a desk, every run tries something new.
if (process.env['CI']) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20260105 })
