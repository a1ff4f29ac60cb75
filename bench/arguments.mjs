import { parseArgs } from 'node:util'
import { benchmarks } from './benchmarks/index.mjs'
import { CannotMeasure } from './shared.mjs'

const flags = {
  quick: { type: 'boolean', default: false },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
}

/** Parses the command line to `{names, quick, json, help}`; `names` are all benchmarks by default. */
export function parseArguments(args) {
  const { values, positionals } = parse(args)
  const known = Object.keys(benchmarks)
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new CannotMeasure(`There is no benchmark "${unknown}"; expected one of ${known.join(', ')}.`, 2)
  }
  return { ...values, names: known.filter((name) => positionals.length === 0 || positionals.includes(name)) }
}

function parse(args) {
  try {
    return parseArgs({ args, options: flags, allowPositionals: true })
  } catch (error) {
    // Its other sentences concern arguments that no benchmark has.
    const [problem] = error.message.split('. ')
    throw new CannotMeasure(`${problem}.\n"npm run bench -- --help" lists all options and benchmarks.`, 2)
  }
}

/** Returns the text of `--help`. */
export function helpText() {
  const width = Math.max(...Object.keys(benchmarks).map((name) => name.length))
  const list = Object.entries(benchmarks).map(([name, { what }]) => `  ${name.padEnd(width)}  ${what}`)
  return `Usage: npm run bench -- [options] [benchmark...]

Builds the project, installs the programs it is compared with into bench/node_modules (once), and runs all benchmarks
or those that are named. Candidates are measured in turns within one run; the ratios between them count. Prints a
Markdown table for each benchmark, and finally the project's bars and whether they were met. Takes about ten minutes.

Benchmarks:
${list.join('\n')}

Options:
  --quick      only check that they work: small sizes, few rounds, no bars
  --json FILE  write the results as JSON to FILE (default: bench/results.json, with --quick bench/results-quick.json)
  -h, --help   show this help

Exit status: 0 everything was measured, whether or not the bars were met; 1 something could not be measured; 2 usage.

Example: npm run bench -- http cold-start
`
}
