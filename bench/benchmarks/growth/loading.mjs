import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inTurns } from '../../figures/rounds.mjs'
import { figureOf } from '../../figures/spread.mjs'

const program = fileURLToPath(new URL('../../programs/load-once.mjs', import.meta.url))

/** Loading mailboxes of several sizes, each time in a process that does nothing else: rows, and two of them by name. */
export async function loadingAt(sizes, { rounds, progress }) {
  const measured = await inTurns(
    Object.fromEntries(sizes.map((size) => [`loading ${size.toLocaleString('en')}`, () => loadOnce(size)])),
    { rounds, progress },
  )
  const figures = (what, unit) =>
    Object.values(measured).map((runs) =>
      figureOf(
        runs.map((run) => run[what]),
        unit,
      ),
    )
  const took = figures('took', 'ms')
  const peak = figures('peak', 'B')
  return {
    took,
    peak,
    rows: [
      ['messages', ...Object.values(measured).map(([{ messages }]) => messages), ''],
      ['loading', ...took, ''],
      ['processors busy with it', ...figures('busy', 'ms'), ''],
      ['resident after it', ...figures('resident', 'B'), ''],
      ['at its peak', ...peak, ''],
      ['held for each message', ...figures('eachMessage', 'B'), ''],
    ],
  }
}

async function loadOnce(size) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, String(size)])
  return JSON.parse(stdout)
}
