import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createSimulator } from '../dist/index.js'
import { mailboxOf } from './mailbox.mjs'
import { interleave, microseconds, table, timeOf } from './measure.mjs'

/**
 * Reset after ten changes, at several sizes: bars 1 ms, and no more than 1.5 × apart. Fork and drop: bar 5 ms. Ten
 * thousand worlds on one server: bar 200 kB each.
 */
export async function worlds({ quick }) {
  return `${await oneByOne(quick)}\n\n${await manyAtOnce(quick)}`
}

async function oneByOne(quick) {
  const sizes = quick ? [1_000, 10_000] : [1_000, 100_000, 1_000_000]
  const simulators = []
  for (const size of sizes) simulators.push(await createSimulator({ scenario: mailboxOf(size) }))
  const rows = []
  for (const [name, prepare, measure] of [
    ['reset after ten changes', changeTenTimes, (simulator) => simulator.reset()],
    ['fork and drop', () => undefined, (simulator) => simulator.fork().close()],
    ['fork, ten changes and drop', () => undefined, changeAFork],
  ]) {
    const candidates = Object.fromEntries(
      simulators.map((simulator, index) => [
        `at ${sizes[index]}`,
        async () => {
          await prepare(simulator)
          return timeOf(() => measure(simulator), 1)
        },
      ]),
    )
    const results = Object.values(await interleave(candidates, { rounds: quick ? 5 : 200, warmUp: 5 }))
    rows.push([name, ...results.map(microseconds), (results.at(-1).median / results[0].median).toFixed(2)])
  }
  return table(
    ['a world', ...sizes.map((size) => `p50 at ${size.toLocaleString('en')} messages`), 'ratio'],
    rows,
  )
}

async function changeTenTimes(simulator) {
  for (let i = 0; i < 10; i++)
    await simulator.mail.receive({ to: 'agent', subject: `Change ${i}`, text: 'Hello' })
}

async function changeAFork(simulator) {
  const fork = simulator.fork()
  await changeTenTimes(fork)
  fork.close()
}

const program = fileURLToPath(new URL('worlds-at-once.mjs', import.meta.url))

async function manyAtOnce(quick) {
  const sizes = quick ? [1_000] : [1_000, 100_000]
  const count = quick ? 200 : 10_000
  const measured = []
  for (const size of sizes) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, size, count])
    measured.push(JSON.parse(stdout))
  }
  const head = [`each of ${count.toLocaleString('en')} worlds of one server`]
  const columns = sizes.map((size) => `of ${size.toLocaleString('en')} messages`)
  return table(
    [...head, ...columns],
    Object.keys(measured[0]).map((what) => [what, ...measured.map((figures) => figures[what])]),
  )
}
