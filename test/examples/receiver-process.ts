import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { type Language, projectFile } from './languages.js'

/** A receiver of the examples that is running. */
export interface ReceiverProcess {
  /** The URL it takes deliveries at. */
  readonly url: string
  /** The next line it prints about a handled event. */
  nextLine(): Promise<string>
}

/** Starts `examples/webhooks/receiver` on a free port, until the test ends. */
export async function startReceiver(
  { runner, ending }: Language,
  variables: Readonly<Record<string, string>> = {},
): Promise<ReceiverProcess> {
  const [program = '', ...options] = runner
  const file = projectFile(`examples/webhooks/receiver.${ending}`)
  const child = spawn(program, [...options, file], {
    env: { ...process.env, NO_PROXY: '127.0.0.1', PORT: '0', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: projectFile('.'),
  })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints += text
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`The receiver ended: ${complaints}`)
    return value
  }
  const url = (await nextLine()).replace('listening on ', '')
  return { url, nextLine }
}
