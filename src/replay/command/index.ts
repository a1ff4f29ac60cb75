export type { OnLines } from './command-output.js'
export { type CommandEnd, type CommandOptions, runCommand } from './run-command.js'
