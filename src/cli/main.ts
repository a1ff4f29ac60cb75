#!/usr/bin/env node
import module from 'node:module'

// Compiled code is kept from run to run, where Node can; only what is loaded after this is.
;(module as { enableCompileCache?(): unknown }).enableCompileCache?.()
// Reading the maps takes longer than all else, and only who wants stack traces gets any.
if (process.argv.includes('--verbose')) process.setSourceMapsEnabled(true)

const { start } = await import('./start.js')
await start(process.argv.slice(2))
