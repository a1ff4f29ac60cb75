import { run } from './program.js'
import { outliveReader } from './terminal.js'

/** Runs a command line in this process, given without the name of the program. */
export async function start(args: readonly string[]): Promise<void> {
  outliveReader(process.stdout)
  outliveReader(process.stderr)
  // Set, not called: the process ends by itself, once all output is out and nothing is left to do.
  process.exitCode = await run(args)
}
