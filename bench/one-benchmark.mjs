import { benchmarks } from './benchmarks/index.mjs'
import { CannotMeasure } from './shared.mjs'

// Runs one benchmark in this process and sends its results; run.mjs starts it with a name and perhaps --quick.
const [name, ...flags] = process.argv.slice(2)
for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit(1))

try {
  const run = await benchmarks[name].load()
  const measured = await run({ quick: flags.includes('--quick'), progress: progressOf(name) })
  clearProgress()
  process.send(measured, () => process.exit())
} catch (error) {
  clearProgress()
  const problem = error instanceof CannotMeasure ? error.message : error.stack
  process.send({ problem }, () => process.exit())
}

/** Returns a function that shows progress on one line of a terminal; elsewhere it prints nothing. */
function progressOf(name, stream = process.stderr) {
  return (text) => {
    // Some terminals do not report their width.
    const width = (stream.columns || 80) - 1
    if (stream.isTTY) stream.write(`\r\x1b[K${`${name}: ${text}`.slice(0, width)}`)
  }
}

/** Clears that line. */
function clearProgress(stream = process.stderr) {
  if (stream.isTTY) stream.write('\r\x1b[K')
}
