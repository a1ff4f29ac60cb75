import { benchmarks } from '../benchmarks/index.mjs'
import { CannotMeasure } from './cannot-measure.mjs'
import { clearProgress, progressOf } from './progress.mjs'

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
