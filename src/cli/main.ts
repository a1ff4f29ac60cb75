#!/usr/bin/env node
import module from 'node:module'

// Keeps compiled code from run to run if Node can, for what is loaded after this.
;(module as { enableCompileCache?(): unknown }).enableCompileCache?.()
// Reading the source maps takes longer than all else, and only stack traces need them.
if (process.argv.includes('--verbose')) process.setSourceMapsEnabled(true)

const { start } = await import('./program.js')
await start(process.argv.slice(2))
