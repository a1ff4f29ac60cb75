import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median, table } from './measure.mjs'

const program = fileURLToPath(new URL('load-once.mjs', import.meta.url))

/** Loading in processes that do nothing else: bars 150 ms for 1,000 messages, 30 s and 1.5 GB for a million. */
export async function loading({ quick }) {
  const rows = []
  for (const [messages, times] of quick ? [[1_000, 1]] : Object.entries({ 1000: 7, 100000: 3, 1000000: 3 })) {
    const runs = []
    for (let run = 0; run < times; run++) runs.push(await loadOnce(messages))
    const middle = (figure) => median(runs.map(figure))
    rows.push([
      middle(({ loaded }) => loaded).toLocaleString('en'),
      `${middle(({ imported }) => imported).toFixed(0)} ms`,
      seconds(middle(({ took }) => took)),
      seconds(middle(({ busy }) => busy)),
      `${(middle(({ resident }) => resident) / 1e6).toFixed(0)} MB`,
      `${(middle(({ peak }) => peak) / 1e6).toFixed(0)} MB`,
    ])
  }
  return table(
    [
      'loading generated messages',
      'import before it',
      'loading',
      'processors busy',
      'resident after it',
      'peak',
    ],
    rows,
  )
}

async function loadOnce(messages) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(messages)])
  return JSON.parse(stdout)
}

function seconds(milliseconds) {
  return milliseconds < 1000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
