#!/usr/bin/env node
import { run } from './program.js'
import { outliveReader } from './terminal.js'

outliveReader(process.stdout)
outliveReader(process.stderr)
// Set, not called: the process ends by itself, once all output is out and nothing is left to do.
process.exitCode = await run(process.argv.slice(2))
