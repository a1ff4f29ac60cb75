import { Command, CommanderError, type Option } from 'commander'
import { version } from '../server/version.js'
import { exitStatus } from './exit-status.js'
import { addServe } from './serve.js'

/** Runs a command line, without the name of the program, and gives the exit status. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' })
    return exitStatus.fine
  } catch (error) {
    // Commander has said already what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.fine : exitStatus.usage
    return reportFailure(error, args.includes('--verbose'))
  }
}
