import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('one-benchmark.mjs', import.meta.url))

/**
 * Runs a benchmark in a process of its own, so that none finds what another has left. Gives
 * `{tables, notes?, figures}`, figures by the name of their bar, or `{problem}`, a text.
 */
export function measure(name, { quick }) {
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
