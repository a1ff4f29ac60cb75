import { cpus } from 'node:os'
import { deliveries } from './deliveries.mjs'
import { inProcess } from './in-process.mjs'
import { listLatency } from './list-latency.mjs'
import { loading } from './loading.mjs'
import { observing } from './observing.mjs'
import { worlds } from './worlds.mjs'

const benchmarks = {
  'in-process': inProcess,
  'list-latency': listLatency,
  loading,
  observing,
  worlds,
  deliveries,
}
const { values, positionals } = parse(process.argv.slice(2))

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}\n`)
for (const name of positionals) console.log(`${await benchmarks[name](values)}\n`)

function parse(args) {
  const names = args.filter((argument) => !argument.startsWith('--'))
  const unknown = names.find((name) => !Object.hasOwn(benchmarks, name))
  if (unknown) {
    console.error(`There is no benchmark "${unknown}"; there is ${Object.keys(benchmarks).join(', ')}.`)
    process.exit(2)
  }
  return {
    values: { quick: args.includes('--quick') },
    positionals: names.length > 0 ? names : Object.keys(benchmarks),
  }
}
