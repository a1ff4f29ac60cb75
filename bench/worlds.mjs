import { createSimulator } from '../dist/index.js'
import { mailboxOf } from './mailbox.mjs'
import { interleave, microseconds, table, timeOf } from './measure.mjs'

/** Reset after ten changes, and fork and drop, at several sizes: bars 1 ms and no more than 1.5 × apart. */
export async function worlds({ quick }) {
  const sizes = quick ? [1_000, 10_000] : [1_000, 1_000_000]
  const simulators = []
  for (const size of sizes) simulators.push(await createSimulator({ scenario: mailboxOf(size) }))
  const rows = []
  for (const [name, prepare, measure] of [
    ['reset after ten changes', changeTenTimes, (simulator) => simulator.reset()],
    ['fork and drop', () => undefined, (simulator) => simulator.fork().close()],
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
