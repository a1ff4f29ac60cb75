import { onTestFinished } from 'vitest'
import { nextLine, startProcess } from '../cli/program.js'
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
  const file = projectFile(`examples/webhooks/receiver.${ending}`)
  const env = { NO_PROXY: '127.0.0.1', PORT: '0', ...variables }
  const program = startProcess([...runner, file], { env, cwd: projectFile('.') })
  onTestFinished(async () => {
    program.process.kill('SIGKILL')
    await program.outcome
  })
  const url = (await nextLine(program)).replace('listening on ', '')
  return { url, nextLine: () => nextLine(program) }
}
