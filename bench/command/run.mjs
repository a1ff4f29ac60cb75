import { judge, tableOfBars } from '../figures/bars.mjs'
import { markdownOf } from '../figures/table.mjs'
import { describeMachine, formatMachine } from './machine.mjs'
import { measure } from './measure.mjs'
import { prepare } from './preparation.mjs'
import { resultsFile, writeResults } from './results.mjs'

/** Measures benchmarks one after another, prints their tables and writes them as JSON; gives the exit status. */
export async function run({ names, quick, json }) {
  const file = resultsFile({ json, quick })
  prepare()
  const machine = describeMachine()
  const date = new Date().toISOString()
  print(`${formatMachine(machine)}${quick ? '; a quick run, whose figures mean nothing' : ''}`)
  const measured = []
  for (const name of names) {
    const began = performance.now()
    const outcome = await measure(name, { quick })
    show(name, outcome)
    measured.push({ name, seconds: Math.round((performance.now() - began) / 1000), ...outcome })
  }
  const figures = Object.assign({}, ...measured.map((benchmark) => benchmark.figures))
  const bars = judge(figures, { benchmarks: names, quick })
  print(markdownOf(tableOfBars(bars)))
  writeResults(file, { date, quick, machine, bars, benchmarks: measured })
  return measured.some(({ problem }) => problem) ? 1 : 0
}

function show(name, { problem, tables = [], notes = [] }) {
  if (problem) process.stderr.write(`${name}: ${problem}\n\n`)
  for (const table of tables) print(markdownOf(table))
  for (const note of notes) print(note)
}

function print(text) {
  process.stdout.write(`${text}\n\n`)
}
