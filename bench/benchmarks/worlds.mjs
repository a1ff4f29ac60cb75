import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { figureOf, inTurns, largestOf } from '../rounds.mjs'
import { table } from '../table.mjs'

const program = fileURLToPath(new URL('../programs/worlds-at-once.mjs', import.meta.url))

/** Measures what each of ten thousand worlds on one server costs, over HTTP with ten connections. */
export async function worlds({ quick, progress }) {
  const sizes = quick ? [1_000] : [1_000, 100_000]
  const count = quick ? 200 : 10_000
  const measured = Object.values(
    await inTurns(
      Object.fromEntries(
        sizes.map((size) => [`of ${size.toLocaleString('en')} messages`, () => measure(size, count)]),
      ),
      { rounds: quick ? 1 : 3, progress },
    ),
  )
  const figure = (what, runs) =>
    figureOf(
      runs.map((run) => run[what].each),
      runs[0][what].unit,
    )
  const head = [`each of ${count.toLocaleString('en')} worlds of one server`]
  const columns = sizes.map((size) => `of ${size.toLocaleString('en')} messages`)
  return {
    tables: [
      table(
        [...head, ...columns],
        Object.keys(measured[0][0]).map((what) => [what, ...measured.map((runs) => figure(what, runs))]),
      ),
    ],
    figures: { worlds: largestOf(measured.map((runs) => wholeMemory(runs))) },
  }
}

/** Returns the memory of a world after reads and a write. */
function wholeMemory(runs) {
  const bytes = (run) => run['memory'].each + run['memory for it'].each
  return figureOf(runs.map(bytes), 'B')
}

async function measure(messages, count) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, messages, count])
  return JSON.parse(stdout)
}
