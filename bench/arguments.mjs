import { parseArgs } from 'node:util'
import { benchmarks } from './benchmarks/index.mjs'
import { CannotMeasure } from './shared.mjs'

const flags = {
  quick: { type: 'boolean', default: false },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
}

/** What is asked for: `{names, quick, json, help}`; `names` are all benchmarks where none is named. */
export function parseArguments(args) {
  const { values, positionals } = parse(args)
  const known = Object.keys(benchmarks)
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new CannotMeasure(`There is no benchmark "${unknown}"; there is ${known.join(', ')}.`, 2)
  }
  return { ...values, names: known.filter((name) => positionals.length === 0 || positionals.includes(name)) }
}

function parse(args) {
  try {
    return parseArgs({ args, options: flags, allowPositionals: true })
  } catch (error) {
    // Its further sentences are about arguments that no benchmark has.
    const [problem] = error.message.split('. ')
    throw new CannotMeasure(`${problem}.\n"npm run bench -- --help" lists what there is.`, 2)
  }
}

/** What people read who ask for help. */
export function helpText() {
  const width = Math.max(...Object.keys(benchmarks).map((name) => name.length))
  const list = Object.entries(benchmarks).map(([name, { what }]) => `  ${name.padEnd(width)}  ${what}`)
  return `Usage: npm run bench -- [options] [benchmark...]

Builds the project, installs what it is compared with into bench/node_modules (once), and measures all benchmarks or
those that are named. Candidates are measured in turns within one run; what counts is how they compare. Prints a
Markdown table for each, and at the end the project's bars and whether they were met. Takes some ten minutes.

Benchmarks:
${list.join('\n')}

Options:
  --quick      only see that they work: small sizes, few rounds, nothing is judged
  --json FILE  where the results go as JSON (default: bench/results.json, with --quick bench/results-quick.json)
  -h, --help   show this help

Exit status: 0 all was measured, whether or not the bars were met; 1 something could not be measured; 2 wrong usage.

Example: npm run bench -- http cold-start
`
}
