import { helpText, parseArguments } from './arguments.mjs'
import { run } from './run.mjs'
import { CannotMeasure } from './shared.mjs'

// Exits at once, so that the exit handlers end all started processes.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

try {
  const { help, ...options } = parseArguments(process.argv.slice(2))
  if (help) process.stdout.write(helpText())
  else process.exitCode = await run(options)
} catch (error) {
  if (!(error instanceof CannotMeasure)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = error.exitStatus
}
