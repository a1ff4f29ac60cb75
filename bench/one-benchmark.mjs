import { benchmarks } from './benchmarks/index.mjs'
import { CannotMeasure } from './shared.mjs'

// Runs one benchmark in this process and sends what it measured; run by measure.mjs with a name, and --quick.
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

/** Shows how far something is, on one line of a terminal; nobody reads it elsewhere. */
function progressOf(name, stream = process.stderr) {
  return (text) => {
    // A terminal need not tell how wide it is.
    const width = (stream.columns || 80) - 1
    if (stream.isTTY) stream.write(`\r\x1b[K${`${name}: ${text}`.slice(0, width)}`)
  }
}

/** Takes that line away. */
function clearProgress(stream = process.stderr) {
  if (stream.isTTY) stream.write('\r\x1b[K')
}
