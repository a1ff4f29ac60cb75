import { fork } from 'node:child_process'
import { accessSync, constants, renameSync, statSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judge, tableOfBars } from './bars.mjs'
import { prepare } from './preparation.mjs'
import { CannotMeasure } from './shared.mjs'
import { markdownOf } from './table.mjs'

/** Runs benchmarks one after another, prints their tables and writes the results as JSON; returns the exit status. */
export async function run({ names, quick, json }) {
  const file = resultsFile({ json, quick })
  prepare()
  const machine = describeMachine()
  const date = new Date().toISOString()
  print(`${formatMachine(machine)}${quick ? '; a quick run, whose figures are meaningless' : ''}`)
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

const program = fileURLToPath(new URL('one-benchmark.mjs', import.meta.url))

/**
 * Runs a benchmark in its own process, so that benchmarks do not affect each other. Returns `{tables, notes?, figures}`
 * with the figures by the name of their bar, or `{problem}` with a text.
 */
function measure(name, { quick }) {
  const child = fork(program, [name, ...(quick ? ['--quick'] : [])], {
    execArgv: ['--max-old-space-size=6144'],
  })
  const stop = () => child.kill('SIGTERM')
  process.on('exit', stop)
  return new Promise((resolve) => {
    let outcome
    child.on('message', (sent) => {
      outcome = sent
    })
    child.on('exit', (code, signal) => {
      process.off('exit', stop)
      resolve(outcome ?? { problem: `Its process ended with ${signal ?? `status ${code}`}.` })
    })
  })
}

/** Describes this machine: `{node, cpus, model, memory}`, memory in bytes. */
function describeMachine() {
  const processors = cpus()
  return {
    node: process.version,
    cpus: processors.length,
    model: processors[0]?.model ?? process.arch,
    memory: totalmem(),
  }
}

/** Formats a machine as one line. */
function formatMachine({ node, cpus, model, memory }) {
  return `Node ${node}, ${cpus} × ${model}, ${Math.round(memory / 2 ** 30)} GiB`
}

/** Returns the file for the results; throws now, not after ten minutes, if it cannot be written. */
function resultsFile({ json, quick }) {
  const ours = new URL(quick ? 'results-quick.json' : 'results.json', import.meta.url)
  // npm changes to the project's folder, but a path is relative to the folder in which the command was typed.
  const file = json === undefined ? fileURLToPath(ours) : resolve(process.env.INIT_CWD ?? '.', json)
  const problem = problemWith(file)
  if (problem) {
    throw new CannotMeasure(
      `The results cannot be written to ${file}: ${problem}. Name another --json file.`,
      2,
    )
  }
  return file
}

/** Writes results as JSON; replaces an existing file only when the new one is complete. */
function writeResults(file, results) {
  const beside = `${file}.new`
  writeFileSync(beside, `${JSON.stringify(results, null, 2)}\n`)
  renameSync(beside, file)
}

function problemWith(file) {
  try {
    accessSync(dirname(file), constants.W_OK)
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() ? 'it is a folder' : undefined
  } catch (error) {
    return error.message
  }
}
