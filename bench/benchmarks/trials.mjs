import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { figureOf, inTurns, ratioOf } from '../rounds.mjs'
import { table } from '../table.mjs'

const program = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url))

/** An agent that lists its threads and reads the first. */
const agent = `
  const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
  const get = async (path) => (await fetch(base + '/api/v1' + path, { headers: { authorization: 'Bearer ' + key } })).json()
  const { threads } = await get('/mail/threads?agent=support')
  await get('/mail/messages?thread_id=' + threads[0].id)`

/** Compares trials of a story, two at a time, with as many single replays one after another. */
export async function trials({ quick, progress }) {
  const count = quick ? 2 : 100
  const measured = await inTurns(
    {
      trials: () => timeOf(() => replay('--trials', String(count), '--jobs', '2', '--require', '0')),
      single: () =>
        timeOf(async () => {
          for (let one = 0; one < count; one++) await replay()
        }),
    },
    { rounds: quick ? 1 : 3, warmUp: 0, progress },
  )
  const ratio = ratioOf(measured.trials, measured.single)
  return {
    tables: [
      table(
        ['a story, a hundred times', '--trials 100 --jobs 2', '100 single replays', 'ratio'],
        [['time', figureOf(measured.trials, 'ms'), figureOf(measured.single, 'ms'), ratio]],
      ),
    ],
    figures: { trials: ratio },
  }
}

/** Returns the time of a task in milliseconds. */
async function timeOf(act) {
  const begun = performance.now()
  await act()
  return performance.now() - begun
}

/** Replays a story to the agent, whose failure is none of the benchmark. */
function replay(...flags) {
  const command = [process.execPath, '--input-type=module', '-e', agent]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, 'replay', 'refund-request', ...flags, '--', ...command], (error) => {
      if (error && error.code !== 1) reject(error)
      else resolve()
    })
  })
}
