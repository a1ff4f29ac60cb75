#!/usr/bin/env node
import module from 'node:module'

const oldest = [20, 19] as const
const [major = 0, minor = 0] = process.version.slice(1).split('.').map(Number)

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  // The modules of the program would fail to load, with pages of source.
  process.stderr.write(
    `error: Node ${oldest.join('.')} or later is required; this is Node ${process.version.slice(1)}.\n`,
  )
  process.exitCode = 2
} else {
  // Caches the compiled code of later modules between runs, if Node can.
  ;(module as { enableCompileCache?(): unknown }).enableCompileCache?.()
  void import('./program.js').then(({ start }) => start(process.argv.slice(2)))
}
